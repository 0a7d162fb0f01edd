import { describe, expect, it } from 'vitest';

import { builtInAppId } from '#server/features/apps/app.ts';
import { disguised, texts, type FieldCases } from './cases.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();

const day = { start: '2026-04-21T00:00:00Z', end: '2026-04-22T00:00:00Z' };

const wrongInstants = {
  'is a day that its month does not have': '2026-02-31T00:00:00Z',
  'is 29 February of a year without one': '2025-02-29T00:00:00Z',
  'is day 0': '2026-04-00T00:00:00Z',
  'is day 32': '2026-04-32T00:00:00Z',
  'is month 13': '2026-13-01T00:00:00Z',
  'is month 0': '2026-00-01T00:00:00Z',
  'is hour 24': '2026-04-21T24:00:00Z',
  'is hour 25': '2026-04-21T25:00:00Z',
  'is minute 60': '2026-04-21T09:60:00Z',
  'is a leap second': '2026-04-21T23:59:60Z',
  'has no zone': '2026-04-21T00:00:00',
  'is a date alone': '2026-04-21',
  'has no seconds': '2026-04-21T00:00Z',
  'has an offset of 24 hours': '2026-04-21T00:00:00+24:00',
  'has an offset of 60 minutes': '2026-04-21T00:00:00+00:60',
  'has an offset without a colon': '2026-04-21T00:00:00+0200',
  'has an offset of hours alone': '2026-04-21T00:00:00+02',
  'has a zone by name': '2026-04-21T00:00:00Europe/Berlin',
  'is in lower case': '2026-04-21t00:00:00z',
  'has a blank for the T': '2026-04-21 00:00:00Z',
  'has a comma before its fraction': '2026-04-21T00:00:00,5Z',
  'ends in a point': '2026-04-21T00:00:00.Z',
  'has a fraction of ten digits': '2026-04-21T00:00:00.0123456789Z',
  'has a year of two digits': '26-04-21T00:00:00Z',
  'has a year of six digits': '+002026-04-21T00:00:00Z',
  'is a day of a week': '2026-W17-2T00:00:00Z',
  'is a day of a year': '2026-111T00:00:00Z',
  'has no hyphens': '20260421T000000Z',
  'is a number of seconds': '1776763800',
  'is a number of milliseconds': '1776763800000',
  'is a word': 'yesterday',
  'is written in other digits': '２０２６-04-21T00:00:00Z',
  'is a date as mail writes it': 'Tue, 21 Apr 2026 00:00:00 GMT',
};

const fields: readonly FieldCases[] = [
  {
    field: 'start',
    code: 'INVALID_TIME_RANGE',
    bad: [
      ...disguised('start', day.start),
      ...texts('start', {
        ...wrongInstants,
        'is the end': day.end,
        'is the end, in another zone': '2026-04-22T02:00:00+02:00',
        'lies behind the end': '2026-04-22T00:00:00.001Z',
      }),
      ['is missing', ''],
    ],
    good: [
      ...texts('start', {
        'is an instant': day.start,
        'has a fraction': '2026-04-21T00:00:00.123456789Z',
        'has an offset': '2026-04-21T02:00:00+02:00',
        'has a negative offset': '2026-04-20T19:00:00-05:00',
        'is long ago': '0001-01-01T00:00:00Z',
        'is 29 February': '2024-02-29T00:00:00Z',
      }),
      ['has an offset whose plus is not encoded', 'start=2026-04-21T02:00:00+02:00'],
    ],
  },
  {
    field: 'end',
    code: 'INVALID_TIME_RANGE',
    bad: texts('end', { 'is the start': day.start, 'lies before the start': '2026-04-20T23:59:59.999Z' }),
    good: texts('end', {
      'is far away': '9999-12-31T23:59:59.999Z',
      'lies a millisecond behind the start': '2026-04-21T00:00:00.001Z',
    }),
  },
];

/** Returns the piece of the query for one field, beside valid values for the others. */
function ask(field: string, query: string) {
  const others = Object.entries(day)
    .filter(([name]) => name !== field)
    .map(([name, value]) => `${name}=${value}`);
  return rawSend(watched.server, {
    path: `/v2/apps/${builtInAppId(watched.account.id)}/network/errors?${[...others, query].join('&')}`,
    credential: watched.account.credential,
  });
}

describe.each(fields)('getNetworkErrors() with $field', ({ field, code, bad, good }) => {
  it.each(bad)(`answers ${code} and changes nothing when it %s`, async (_, query) => {
    const answer = await watched.state.unchangedBy(() => ask(field, query));
    expect(answer.json().code).toBe(code);
  });

  it.each(good)('answers a breakdown when it %s', async (_, query) => {
    const answer = await watched.state.unchangedBy(() => ask(field, query));
    expect(answer.json()).toMatchObject({ status: 'success', response: { summary: { total: 0 }, timeseries: [] } });
  });
});

describe('getNetworkErrors() with several wrong fields', () => {
  it.each([
    ['start=x&end=x&include_4xx=x', 'INVALID_TIME_RANGE'],
    ['include_4xx=x&start=2026-04-21', 'INVALID_TIME_RANGE'],
    ['include_4xx=x', 'INVALID_TIME_RANGE'],
    [
      'include_4xx=x&start=2026-04-21T00:00:00Z&end=2026-04-22T00:00:00Z&end=2026-04-22T00:00:00Z',
      'INVALID_TIME_RANGE',
    ],
    ['include_4xx=x&start=2026-04-21T00:00:00Z&end=2026-04-22T00:00:00Z', 'INVALID_INCLUDE_4XX'],
  ])('answers the first one in the order of the contract: %s', async (query, code) => {
    const answer = await rawSend(watched.server, {
      path: `/v2/apps/${builtInAppId(watched.account.id)}/network/errors?${query}`,
      credential: watched.account.credential,
    });
    expect(answer.json().code).toBe(code);
  });
});

describe('app_id of getNetworkErrors()', () => {
  it.each(['app_1', '%ff'])('answers APP_NOT_FOUND and changes nothing when it is %s', async (id) => {
    const ask = () =>
      rawSend(watched.server, {
        path: `/v2/apps/${id}/network/errors?${new URLSearchParams(day)}`,
        credential: watched.account.credential,
      });
    expect((await watched.state.unchangedBy(ask)).json().code).toBe('APP_NOT_FOUND');
  });
});
