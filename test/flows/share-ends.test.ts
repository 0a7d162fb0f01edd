import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { schemaChecker } from '#mocks/schema-check.ts';
import { forgetShares } from '#server/features/shares/forget-shares.ts';
import { deleteByRule } from '#server/features/files/deletion/delete-by-rule.ts';
import { deleteExpired } from '#server/features/files/deletion/delete-expired.ts';
import { exchange } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { contract } from '#test/support/contract.ts';
import { eventually } from '#test/support/eventually.ts';
import { upload } from '#test/support/files.ts';

let gateway: Gateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());

const week = 7 * 86_400;

const schemas = schemaChecker(contract);

/** Returns the calls of a test over a new account. */
async function start() {
  const own = await gateway.other();
  const { server } = gateway;
  const { account } = own;
  const { stores } = server.running.app;
  const send = (method: string, path: string, body?: unknown) =>
    server.send(path, {
      method,
      credential: account.credential,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const put = async (query: Record<string, string>): Promise<string> =>
    (await upload(server, account, { query })).json().response.id;
  const share = async (object: string, more: object = {}): Promise<string> =>
    (await send('POST', '/v1/shares', { object, ...more })).json().response.id;
  /** Returns the keys of files whose link has ended, with the reasons, in the order of their events. */
  const ended = async (): Promise<string[]> => {
    const { events } = (await send('GET', '/v1/events?limit=1000')).json().response;
    const { schema } = contract.webhooks['share.ended'].post.requestBody.content['application/json'];
    const ends = events.filter(({ type }: { type: string }) => type === 'share.ended');
    for (const event of ends) expect(schemas(schema)(event)).toEqual([]);
    return ends.map(({ data }: any) => `${data.object.id.slice(`pub/${account.id}/`.length)} ${data.reason}`);
  };
  const runJob = async (body: object) => {
    const { id } = (await send('POST', '/v1/folders/jobs', body)).json().response;
    server.clock.advance(1);
    await eventually(async () =>
      expect((await send('GET', `/v1/folders/jobs/${id}`)).json().response.state).toBe('done'),
    );
  };
  return { server, account, stores, endpoint: own, send, put, share, ended, runJob };
}

describe('a share link that loses its file', () => {
  it('ends once by a deletion, also into the trash, and a purge or a restore adds nothing', async () => {
    const { send, put, share, ended } = await start();
    await send('PUT', '/v1/account/settings', { rules: [{ prefix: 'kept', keep_deleted_days: 30 }] });
    const [kept, gone] = [await put({ name: 'a', prefix: 'kept' }), await put({ name: 'b' })];
    for (const id of [kept, kept, gone]) await share(id);
    await Promise.all([kept, gone, kept].map((object) => send('DELETE', '/v1/objects', { object })));
    expect((await ended()).toSorted()).toEqual([
      'b.png file_deleted',
      'kept/a.png file_deleted',
      'kept/a.png file_deleted',
    ]);
    const { version } = (await send('GET', '/v1/trash')).json().response.versions[0];
    expect((await send('POST', '/v1/trash/restore', { versions: [version] })).status).toBe(200);
    await send('DELETE', '/v1/objects', { object: kept });
    await send('POST', '/v1/trash/purge', { versions: [version] });
    expect(await ended()).toHaveLength(3);
  });

  it('goes on if the file is replaced, and ends if it is moved or its id changes', async () => {
    const { send, put, share, ended } = await start();
    const replaced = await put({ name: 'a' });
    await share(replaced);
    await put({ name: 'a', overwrite: 'true' });
    const source = await put({ name: 'source' });
    await send('POST', '/v1/objects/copy', { source, destination: { name: 'a', overwrite: true } });
    expect(await ended()).toEqual([]);
    const [moved, hidden, expiring] = [await put({ name: 'm' }), await put({ name: 'h' }), await put({ name: 'e' })];
    for (const id of [moved, hidden, expiring]) await share(id);
    await send('POST', '/v1/objects/copy', { source: moved, destination: { name: 'm2' }, move: true });
    await send('PATCH', '/v1/objects', { object: hidden, private: true });
    await send('PATCH', '/v1/objects', { object: expiring, expire: 3 });
    expect(await ended()).toEqual(['m.png file_moved', 'h.png file_moved', 'e.png file_moved']);
  });

  it('ends over S3, by a folder job and by a rule', async () => {
    const { server, stores, endpoint, send, put, share, ended, runJob } = await start();
    const ids = [];
    for (const name of ['one', 'many', 'f/job', 'g/moved', 'old/rule']) {
      const at = name.lastIndexOf('/');
      ids.push(await put({ name: name.slice(at + 1), ...(at > 0 && { prefix: name.slice(0, at) }) }));
    }
    for (const id of ids) await share(id, { expires_in: week });
    await exchange(endpoint, { method: 'DELETE', path: '/public/one.png' });
    const body = Buffer.from('<Delete><Object><Key>many.png</Key></Object></Delete>');
    await exchange(endpoint, { method: 'POST', path: '/public', query: { delete: '' }, body });
    await runJob({ action: 'delete', prefix: 'f' });
    await runJob({ action: 'move', prefix: 'g', destination: 'h' });
    await send('PUT', '/v1/account/settings', { rules: [{ prefix: 'old', delete_after_days: 1 }] });
    server.clock.advance(2 * 86_400_000);
    await deleteByRule(stores, server.clock.now());
    expect(await ended()).toEqual([
      'one.png file_deleted',
      'many.png file_deleted',
      'f/job.png file_deleted',
      'g/moved.png file_moved',
      'old/rule.png file_deleted',
    ]);
  });

  it('has the reason that came first: its own end, or that of its file', async () => {
    const { server, stores, put, share, ended, send } = await start();
    const [early, late, over] = [
      await put({ name: 'early', expire: '1' }),
      await put({ name: 'late' }),
      await put({ name: 'over', expire: '1' }),
    ];
    await share(early, { expires_in: week });
    await share(late, { expires_in: 3600 });
    await share(over, { expires_in: week });
    server.clock.advance(86_400_001);
    await send('DELETE', '/v1/objects', { object: late });
    // An expired file leaves its address free, and the new one is another file.
    await put({ name: 'over', expire: '1' });
    await deleteExpired(stores, server.clock.now());
    await forgetShares(stores, server.clock.now());
    expect((await ended()).map((one) => one.replace(/.*\.(\w+) /u, '$1 ')).toSorted()).toEqual([
      'png expired',
      'png file_expired',
      'png file_expired',
    ]);
  });

  it('ends once when it is spent, and neither its file nor its own time adds an end', async () => {
    const { server, stores, put, share, ended, send } = await start();
    const id = await put({ name: 'spent', private: 'true' });
    const link = await share(id, { max_downloads: 1, expires_in: 3600 });
    expect((await server.send(`/s/${link}`, { door: 'files' })).status).toBe(200);
    await send('DELETE', '/v1/objects', { object: id });
    server.clock.advance(3_600_001);
    await forgetShares(stores, server.clock.now());
    await forgetShares(stores, server.clock.now());
    expect((await ended()).map((one) => one.split(' ').at(-1))).toEqual(['spent']);
  });
});
