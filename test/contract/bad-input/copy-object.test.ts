import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { copyFields } from './change-fields.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
let other: TestAccount;
let source: string;

beforeAll(async () => {
  other = await watched.server.account();
  source = await stored();
  await upload(watched.server, other);
});

async function stored(): Promise<string> {
  return (await upload(watched.server, watched.account, { query: { name: 'photo' } })).json().response.id;
}

function copy(body: string | Uint8Array | undefined) {
  return rawSend(watched.server, {
    method: 'POST',
    path: '/v1/objects/copy',
    credential: watched.account.credential,
    body,
  });
}

const copyBy = (body: unknown) => copy(JSON.stringify(body));

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60);

/** A move that is valid except for this value. It would replace an existing file. */
function bodyWith(field: string, value: unknown) {
  const [first, inner] = field.split('.') as [string, string?];
  const body = { source, destination: { name: 'good' }, move: true, overwrite: true };
  return inner === undefined
    ? { ...body, [first]: value }
    : { ...body, [first]: { ...body.destination, [inner]: value } };
}

describe.each(copyFields)('copyObject() with $field', ({ field, code, bad, good }) => {
  it.each(bad.map((value) => [shown(value), value] as const))(
    `answers ${code} and stores nothing when it is %s`,
    async (_, value) => {
      const answer = await watched.state.unchangedBy(() => copyBy(bodyWith(field, value)));
      expect([answer.status, answer.json().code]).toEqual([400, code]);
    },
  );

  it.each(good.map((value) => [shown(value), value] as const))('accepts %s', async (_, value) => {
    source = await stored();
    const replacing = field !== 'overwrite' || value === true;
    const body = replacing ? bodyWith(field, value) : { ...bodyWith(field, value), destination: { name: 'fresh' } };
    expect((await copyBy(body)).json()).toMatchObject({ status: 'success', response: { source } });
    source = await stored();
  });
});

describe('copyObject()', () => {
  it.each([
    { private: true, security_hash: false },
    { security_hash: false, private: true, expire: '30d' },
  ])('answers INVALID_OBJECT_SECURITY_HASH to %j', async (wishes) => {
    const answer = await watched.state.unchangedBy(() => copyBy(bodyWith('destination', { name: 'x', ...wishes })));
    expect(answer.json().code).toBe('INVALID_OBJECT_SECURITY_HASH');
  });

  it('answers INVALID_OBJECT_SECURITY_HASH to security_hash=false for a private source, existing or not', async () => {
    const own = (await upload(watched.server, watched.account, { query: { private: 'true' } })).json().response.id;
    for (const id of [own, `prv/${watched.account.id}/missing.png`]) {
      const answer = await watched.state.unchangedBy(() =>
        copyBy({ source: id, destination: { name: 'x', security_hash: false } }),
      );
      expect(answer.json().code).toBe('INVALID_OBJECT_SECURITY_HASH');
    }
  });

  it('reads nothing from a prototype', async () => {
    const answer = await watched.state.unchangedBy(() =>
      copy(`{"source":"${source}","__proto__":{"destination":{"name":"x"}}}`),
    );
    expect(answer.json().code).toBe('INVALID_DESTINATION');
  });
});
