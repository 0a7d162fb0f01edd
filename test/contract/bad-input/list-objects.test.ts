import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { listFields } from './list-fields.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
/** A cursor of the account's own list with `limit=1`. */
let cursor: string;

beforeAll(async () => {
  for (const name of ['a', 'b', 'c'])
    await upload(watched.server, watched.account, { query: { name, prefix: 'holiday' } });
  await upload(watched.server, watched.account, { query: { name: 'd', private: 'true' } });
  cursor = (await list('limit=1')).json().response.continuationToken;
});

function list(query: string, { credential } = watched.account) {
  return rawSend(watched.server, { path: `/v1/objects?${query}`, credential });
}

describe.each(listFields)('listObjects() with $field', ({ code, bad, good }) => {
  it.each(bad)(`answers ${code} and changes nothing when it %s`, async (_, query) => {
    const answer = await watched.state.unchangedBy(() => list(query));
    expect(answer.json().code).toBe(code);
  });

  it.each(good)('answers a page when it %s', async (_, query) => {
    const answer = await watched.state.unchangedBy(() => list(query));
    expect(answer.json()).toMatchObject({ status: 'success', response: { objects: expect.any(Array) } });
  });
});

describe('listObjects() with a cursor of its own', () => {
  it.each(['cursor', 'continuationToken'])('accepts it as %s, also with another limit', async (field) => {
    const answer = await list(`limit=2&${field}=${cursor}`);
    expect(answer.json().response.objects.map(({ id }: { id: string }) => id)).toEqual([
      `pub/${watched.account.id}/holiday/b.png`,
      `pub/${watched.account.id}/holiday/c.png`,
    ]);
  });

  it.each([
    ['another prefix', 'prefix=holiday'],
    ['an empty filter of visibility turned into one', 'private=false'],
    ['folders', 'delimiter=/'],
  ])('answers INVALID_CONTINUATION_TOKEN when it comes with %s', async (_, query) => {
    expect((await list(`${query}&cursor=${cursor}`)).json().code).toBe('INVALID_CONTINUATION_TOKEN');
  });

  it('answers INVALID_CONTINUATION_TOKEN to another account', async () => {
    const other = await watched.server.account();
    expect((await list(`limit=1&cursor=${cursor}`, other)).json().code).toBe('INVALID_CONTINUATION_TOKEN');
  });

  it('answers INVALID_CONTINUATION_TOKEN when it comes under both of its names', async () => {
    expect((await list(`cursor=${cursor}&continuationToken=${cursor}`)).json().code).toBe('INVALID_CONTINUATION_TOKEN');
  });

  it.each(['%20', '%0a', '=', '%3d', '.', 'A', '%e2%80%8b'])(
    'answers INVALID_CONTINUATION_TOKEN when %s follows it',
    async (more) => {
      expect((await list(`cursor=${cursor}${more}`)).json().code).toBe('INVALID_CONTINUATION_TOKEN');
    },
  );

  it('answers INVALID_CONTINUATION_TOKEN when its letters change their case', async () => {
    const swapped = [...cursor]
      .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
      .join('');
    expect((await list(`cursor=${swapped}`)).json().code).toBe('INVALID_CONTINUATION_TOKEN');
  });
});

describe('listObjects()', () => {
  it('lists only keys that begin with the prefix, whatever its characters', async () => {
    for (const prefix of ['%25', '_', '*', 'HOLIDAY', 'holiday//', '../holiday', 'holiday/a.png%20']) {
      expect((await list(`prefix=${prefix}`)).json().response.objects, prefix).toEqual([]);
    }
    expect((await list('prefix=holiday/a.png')).json().response.objects).toHaveLength(1);
  });

  it('names the first wrong parameter in the order of the contract', async () => {
    expect((await list('cursor=x&limit=0&delimiter=x&private=x')).json().code).toBe('INVALID_OBJECT_PRIVATE');
  });

  it('ignores unknown parameters, whatever their value', async () => {
    const answer = await list('&&x=%ff&y=%00&limit[]=x&__proto__=1&constructor=2&=3&%zz=4&limit=1');
    expect(answer.json().response.objects).toHaveLength(1);
  });
});
