import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const ask = (method: string, path: string, { credential }: Pick<TestAccount, 'credential'>, body?: unknown) =>
  server.send(path, { method, credential, ...(body !== undefined && { body: JSON.stringify(body) }) });

const put = async (account: TestAccount, query: Record<string, string>): Promise<string> =>
  (await upload(server, account, { query })).json().response.id;

const keys = async (account: TestAccount): Promise<string[]> =>
  (await ask('GET', '/v1/objects', account))
    .json()
    .response.objects.map(({ id }: { id: string }) => id.replace(account.id, ''));

/** Starts a job and waits for its end. */
async function run(account: TestAccount, body: object) {
  const started = await ask('POST', '/v1/folders/jobs', account, body);
  expect(started.status, started.body.toString()).toBe(202);
  // A job begins after the millisecond of its start.
  server.clock.advance(1);
  const { id } = started.json().response;
  return eventually(async () => {
    const job = (await ask('GET', `/v1/folders/jobs/${id}`, account)).json().response;
    expect(job.state).toBe('done');
    return job;
  });
}

describe('jobs over folders', () => {
  it('move and copy all files below a prefix, and nothing beside it', async () => {
    const account = await server.account();
    for (let at = 0; at < 120; at++) await put(account, { prefix: 'from/deep', name: `f${at}` });
    await put(account, { prefix: 'from', name: 'p', private: 'true' });
    await put(account, { prefix: 'from-2', name: 'x' });
    await put(account, { prefix: 'to/deep', name: 'f7' });
    const dry = await run(account, { action: 'move', prefix: 'from', destination: 'to', dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, total: 121, done: 120, failed: 1 });
    const before = await keys(account);
    const copied = await run(account, { action: 'copy', prefix: 'from', destination: 'copied/here/' });
    expect(copied).toMatchObject({ total: 121, done: 121, failed: 0, destination: 'copied/here' });
    expect((await keys(account)).filter((key) => !key.includes('copied'))).toEqual(before);
    const moved = await run(account, { action: 'move', prefix: 'from', destination: 'to' });
    expect(moved).toMatchObject({ total: 121, done: 120, failed: 1 });
    expect(moved.failures).toEqual([{ id: `pub/${account.id}/from/deep/f7.png`, code: 'OBJECT_ALREADY_EXISTS' }]);
    const left = await keys(account);
    expect(left.filter((key) => key.includes('/from/'))).toEqual(['pub//from/deep/f7.png']);
    expect(left.filter((key) => key.includes('//to/'))).toHaveLength(121);
    expect(left.filter((key) => key.startsWith('prv//to/p_'))).toHaveLength(1);
    const again = await run(account, { action: 'move', prefix: 'from', destination: 'to', overwrite: true });
    expect(again).toMatchObject({ total: 1, done: 1, failed: 0 });
    expect((await keys(account)).filter((key) => key.includes('/from/'))).toEqual([]);
    expect(await keys(account)).toContain('pub//from-2/x.png');
    const stats = (await ask('GET', '/v1/account/stats', account)).json().response.usage;
    expect(stats).toMatchObject({ objects: 243, storage: 243 * 3000 });
    expect(await server.running.app.stores.metadata.read.storeCheck.differences()).toEqual([]);
  });

  it('delete, restore and purge with the trash', async () => {
    const account = await server.account();
    await ask('PUT', '/v1/account/settings', account, { rules: [{ prefix: 'kept', keep_deleted_days: 30 }] });
    for (const name of ['a', 'b', 'c']) await put(account, { prefix: 'kept', name });
    await put(account, { prefix: 'kept', name: 'a', overwrite: 'true' });
    expect(await run(account, { action: 'delete', prefix: 'kept' })).toMatchObject({ total: 3, done: 3 });
    expect(await keys(account)).toEqual([]);
    await put(account, { prefix: 'kept', name: 'b' });
    const restored = await run(account, { action: 'restore', prefix: 'kept' });
    expect(restored).toMatchObject({ total: 3, done: 2, failed: 1 });
    expect(restored.failures).toEqual([{ id: `pub/${account.id}/kept/b.png`, code: 'OBJECT_ALREADY_EXISTS' }]);
    expect(await keys(account)).toHaveLength(3);
    expect(await run(account, { action: 'purge', prefix: 'kept' })).toMatchObject({ total: 2, done: 2, failed: 0 });
    const { usage } = (await ask('GET', '/v1/account/stats', account)).json().response;
    expect(usage).toEqual({ objects: 3, storage: 9000, trash: { objects: 0, storage: 0 } });
  });

  it('change visibility and expiry, each file once', async () => {
    const account = await server.account();
    for (const name of ['a', 'b', 'c']) await put(account, { prefix: 'x', name });
    const job = await run(account, { action: 'update', prefix: 'x', private: true, expire: '30d' });
    expect(job).toMatchObject({ total: 3, done: 3, failed: 0 });
    const found = await keys(account);
    expect(found).toHaveLength(3);
    for (const key of found) expect(key).toMatch(/^prv\/\/x\/[abc]_[a-z2-7]{16}-ex30\.png$/);
  });

  it('run two at a time, exactly also for parallel requests, and end at once when they are cancelled', async () => {
    const account = await server.account();
    await put(account, { prefix: 'x', name: 'a' });
    const body = { action: 'delete', prefix: 'x' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('POST', '/v1/folders/jobs', account, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409, 409, 409, 409, 409, 409]);
    const { jobs } = (await ask('GET', '/v1/folders/jobs', account)).json().response;
    expect(jobs).toHaveLength(2);
    const other = await server.account();
    for (const { id } of jobs) {
      expect((await ask('POST', `/v1/folders/jobs/${id}/cancel`, other)).json().code).toBe('FOLDER_JOB_NOT_FOUND');
      const ended = (await ask('POST', `/v1/folders/jobs/${id}/cancel`, account)).json().response;
      expect(ended).toMatchObject({ state: 'cancelled', done: 0 });
    }
    server.clock.advance(1);
    expect((await run(account, { action: 'copy', prefix: 'x', destination: 'y' })).done).toBe(1);
    expect(await keys(account)).toEqual(['pub//x/a.png', 'pub//y/a.png']);
  });

  it.each(['revoked', 'expired'])('are cancelled when the key that started them is %s', async (how) => {
    const account = await server.account();
    for (const name of ['a', 'b', 'c']) await put(account, { prefix: 'x', name });
    const scopes = ['blob:read', 'blob:write'] as const;
    const lifetime = how === 'expired' && { lifetimeMs: 1000 };
    const credential = await server.key(account, { scopes: [...scopes], ...lifetime });
    // It begins after the millisecond of its start, so nothing of it has been done when the key ends.
    const started = await ask('POST', '/v1/folders/jobs', { credential }, { action: 'delete', prefix: 'x' });
    const { id } = started.json().response;
    if (how === 'revoked') {
      const made = (await ask('GET', '/v1/account/keys', account)).json().response.keys;
      const ended = made.find((one: any) => one.last4 === credential.slice(-4));
      expect((await ask('DELETE', `/v1/account/keys/${ended.id}`, account)).status).toBe(200);
    }
    server.clock.advance(2000);
    const job = await eventually(async () => {
      const found = (await ask('GET', `/v1/folders/jobs/${id}`, account)).json().response;
      expect(found.ended_at).not.toBeNull();
      return found;
    });
    expect(job).toMatchObject({ state: 'cancelled', done: 0 });
    expect(await keys(account)).toHaveLength(3);
    // Its place is free for the next one.
    expect((await run(account, { action: 'delete', prefix: 'x' })).done).toBe(3);
  });

  describe('by a key that is restricted to prefixes', () => {
    const limited = async (account: TestAccount): Promise<TestAccount> => ({
      ...account,
      credential: await server.key(account, { scopes: ['blob:read', 'blob:write'], prefixes: ['in', 'also/here'] }),
    });
    const folders = [
      ['in', true],
      ['in/', true],
      ['in/deeper', true],
      ['also/here/too', true],
      ['also', false],
      ['inside', false],
      ['out', false],
      ['out/in', false],
    ] as const;

    it.each(folders)('over %s: is allowed = %s', async (prefix, isAllowed) => {
      const account = await server.account();
      const key = await limited(account);
      for (const action of ['delete', 'restore', 'purge', 'update']) {
        const body = { action, prefix, dry_run: true, ...(action === 'update' && { private: true }) };
        const answer = await ask('POST', '/v1/folders/jobs', key, body);
        expect([action, answer.status]).toEqual([action, isAllowed ? 202 : 403]);
        if (isAllowed) await ask('POST', `/v1/folders/jobs/${answer.json().response.id}/cancel`, key);
        else expect(answer.json().code).toBe('PREFIX_NOT_ALLOWED');
      }
    });

    it('move and copy only if both folders lie within them', async () => {
      const account = await server.account();
      const key = await limited(account);
      for (const action of ['move', 'copy'])
        for (const [from, isFrom] of folders)
          for (const [to, isTo] of folders) {
            const [prefix, destination] = [`${from.replace(/\/$/, '')}/a`, `${to.replace(/\/$/, '')}/b`];
            const answer = await ask('POST', '/v1/folders/jobs', key, { action, prefix, destination });
            expect([prefix, destination, answer.status]).toEqual([prefix, destination, isFrom && isTo ? 202 : 403]);
            if (answer.status === 202)
              await ask('POST', `/v1/folders/jobs/${answer.json().response.id}/cancel`, account);
            // 30 jobs may be started in a minute.
            server.clock.advance(60_000);
          }
      expect((await ask('POST', '/v1/folders/jobs', key, { action: 'move', prefix: 'in' })).json().code).toBe(
        'INVALID_DESTINATION',
      );
    });

    it('change what lies within them, and see, read and cancel no other jobs', async () => {
      const account = await server.account();
      const key = await limited(account);
      for (const prefix of ['in/a', 'out/a']) await put(account, { prefix, name: 'f' });
      const hidden = [
        await run(account, { action: 'copy', prefix: 'out', destination: 'in/from-out' }),
        await run(account, { action: 'copy', prefix: 'in/a', destination: 'out/from-in' }),
        await run(account, { action: 'delete', prefix: 'out/nothing' }),
      ];
      const own = await run(key, { action: 'move', prefix: 'in/a', destination: 'also/here/b' });
      expect(own.done).toBe(1);
      const shared = await run(account, { action: 'delete', prefix: 'in/nothing' });
      const listed = async (who: TestAccount) =>
        (await ask('GET', '/v1/folders/jobs', who)).json().response.jobs.map(({ id }: { id: string }) => id);
      expect(await listed(key)).toEqual([shared.id, own.id]);
      expect(await listed(account)).toHaveLength(5);
      for (const { id } of hidden)
        for (const answer of [
          await ask('GET', `/v1/folders/jobs/${id}`, key),
          await ask('POST', `/v1/folders/jobs/${id}/cancel`, key),
        ])
          expect([answer.status, answer.json().code]).toEqual([403, 'PREFIX_NOT_ALLOWED']);
      expect((await ask('GET', `/v1/folders/jobs/${shared.id}`, key)).status).toBe(200);
    });
  });
});
