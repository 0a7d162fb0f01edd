import { describe, expect, it } from 'vitest';

import { browserName } from '#console/screens/keys/browser-name.ts';
import {
  isExpiryRight,
  limitsChange,
  limitsDraftOf,
  listOf,
  newKeyOf,
  scopeGroups,
  wrongAmounts,
} from '#console/screens/keys/draft.ts';
import { further } from '#console/messages/en/further.ts';

const none = limitsDraftOf(undefined);

describe('newKeyOf()', () => {
  const draft = {
    name: ' Website ',
    isFull: false,
    prefixes: '',
    resources: '',
    limits: none,
    expiry: 'never',
    until: '',
  } as const;

  it('leaves out restrictions that are empty', () => {
    expect(newKeyOf({ ...draft, scopes: new Set(['blob:read'] as const) })).toEqual({
      name: 'Website',
      scopes: ['blob:read'],
    });
  });

  it('has folders, applications and limits, limits only for keys that may ask models', () => {
    const full = {
      ...draft,
      prefixes: 'a\n b ,a',
      resources: 'app_1',
      limits: { ...none, requests_per_day: '5', models: 'cubic' },
    };
    const restricted = { name: 'Website', prefixes: ['a', 'b'], resources: ['app_1'] };
    expect(newKeyOf({ ...full, scopes: new Set(['ai:chat'] as const) })).toEqual({
      ...restricted,
      scopes: ['ai:chat'],
      ai: { requests_per_day: 5, models: ['cubic'] },
    });
    expect(newKeyOf({ ...full, scopes: new Set(['blob:read'] as const) })).toEqual({
      ...restricted,
      scopes: ['blob:read'],
    });
    expect(newKeyOf({ ...draft, isFull: true, scopes: new Set(['ai:chat'] as const) })).toEqual({
      name: 'Website',
      scopes: ['*'],
    });
  });
});

it('newKeyOf() has the days, or the hours until the end of a day', () => {
  const scopes = new Set(['blob:read'] as const);
  const draft = { name: 'a', isFull: false, scopes, prefixes: '', resources: '', limits: none, until: '2026-04-21' };
  const now = new Date(2026, 3, 21, 9, 30).getTime();
  expect(newKeyOf({ ...draft, expiry: '30' }, now).expires_in).toBe(30);
  expect(newKeyOf({ ...draft, expiry: 'until' }, now).expires_in).toBe('15h');
  expect(isExpiryRight({ expiry: 'until', until: '2026-04-21' }, now)).toBe(true);
  for (const until of ['', '2026-04-20', '2031-05-01', 'soon'])
    expect(isExpiryRight({ expiry: 'until', until }, now)).toBe(false);
});

it('limitsChange() removes the limits that are empty', () => {
  expect(limitsChange({ ...none, tokens_per_day: '7' })).toEqual({
    requests_per_minute: null,
    requests_per_day: null,
    tokens_per_day: 7,
    spend_per_day: null,
    cost_per_day: null,
    models: null,
  });
  expect(limitsChange(none)).toBeNull();
});

it('wrongAmounts() names the fields that are no whole number from 1, and a cost that is none', () => {
  for (const cost_per_day of ['0', '-1', 'a', '1000001'])
    expect([...wrongAmounts({ ...none, cost_per_day })]).toEqual(['cost_per_day']);
  expect([...wrongAmounts({ ...none, cost_per_day: '0.25' })]).toEqual([]);
  expect([...wrongAmounts({ ...none, requests_per_day: '0', tokens_per_day: '1.5', spend_per_day: '3' })]).toEqual([
    'requests_per_day',
    'tokens_per_day',
  ]);
  expect(listOf(' , \n')).toEqual([]);
});

it('every scope of the contract is in the form, once, with words', () => {
  const inForm = Object.values(scopeGroups).flat();
  expect(inForm.toSorted()).toEqual(Object.keys(further.keys.scopes).toSorted());
  expect(new Set(inForm).size).toBe(inForm.length);
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari, iOS',
  ],
  ['curl/8.14.1', 'curl/8.14.1'],
])('browserName(%j) is %s', (agent, name) => expect(browserName(agent)).toBe(name));
