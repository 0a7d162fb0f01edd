import { describe, expect, it } from 'vitest';

import { exchange, open } from '../doors/raw-request.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import { storedErrors } from '#test/support/edge-errors.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

async function errorsOf(server: TestServer, { id, credential }: TestAccount) {
  const answer = await server.send(
    `/v2/apps/${builtInAppId(id)}/network/errors?start=2026-04-21T09:30:00Z&end=2026-05-21T09:30:00Z&include_4xx=true`,
    { credential },
  );
  return answer.json().response;
}

describe("the errors of Cubby's own public files and links", () => {
  it('are counted for their account, without the ids of links', async () => {
    const server = await startTestServer();
    const [account, other] = [await server.account(), await server.account()];
    const credential = account.credential;
    await upload(server, account, { query: { name: 'photo' } });
    const { id } = (await upload(server, account, { query: { name: 'secret', private: 'true' } })).json().response;
    const link = new URL(
      (await server.send(`/v1/objects/download?object=${id}&redirect=false`, { credential })).json().response.url,
    ).pathname;
    const share = new URL(
      (
        await server.send('/v1/shares', {
          method: 'POST',
          credential,
          body: JSON.stringify({ object: id, expires_in: 60 }),
        })
      ).json().response.url,
    ).pathname;

    await server.send(`/${account.id}/photo.png`, { door: 'public' });
    await server.send(`/${account.id}/missing.png?signature=secret`, { door: 'public' });
    await server.send(`/${account.id}/12345/missing.png`, { door: 'public', method: 'HEAD' });
    await server.send(`/${account.id}/photo.png`, { door: 'public', headers: { Range: 'bytes=999999-' } });
    await server.send('/nothing', { door: 'public' });
    await server.send('/999999999999999999/x.png', { door: 'public' });
    await server.send('/s/AAAAAAAAAAAAAAAAAAAAAA', { door: 'files' });
    await server.send('/d/made-up', { door: 'files' });
    await server.send('/DELETE', { door: 'files', method: 'DELETE' });
    await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object: id }) });
    expect((await server.send(link, { door: 'files' })).status).toBe(404);
    expect((await server.send(share, { door: 'files' })).status).toBe(404);

    await expect.poll(async () => (await errorsOf(server, account)).summary.total, { timeout: 5000 }).toBe(5);
    const { top_paths: paths, by_status: statuses } = await errorsOf(server, account);
    expect(paths.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`).sort()).toEqual([
      'GET /:id/missing.png',
      'GET /:id/photo.png',
      'GET /d/:id',
      'GET /s/:id',
      'HEAD /:id/:id/missing.png',
    ]);
    expect(statuses).toEqual([
      { status: 404, requests: 4 },
      { status: 416, requests: 1 },
    ]);
    expect((await errorsOf(server, other)).summary.total).toBe(0);
    // Nothing else was stored, for example for the guessed links.
    const rows = await storedErrors(server.running.app.stores.metadata, builtInAppId(account.id));
    expect(rows).toHaveLength(5);
  });

  it('are counted when the target of the request names the host', async () => {
    const server = await startTestServer();
    const account = await server.account();
    await exchange(server, `/${account.id}/one.png`);
    const answer = await open(server, `http://127.0.0.1/${account.id}/two.png`);
    answer.resume();
    expect(answer.statusCode).toBe(404);
    await expect.poll(async () => (await errorsOf(server, account)).summary.total, { timeout: 5000 }).toBe(2);
    expect((await errorsOf(server, account)).top_paths.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/:id/one.png',
      '/:id/two.png',
    ]);
  });

  it('are stored when the server stops', async () => {
    const server = await startTestServer();
    const account = await server.account();
    for (let asked = 0; asked < 20; asked++)
      await server.send(`/${account.id}/missing-${'x'.repeat(asked)}.png`, { door: 'public' });
    const { stores } = server.running.app;
    let total = 0;
    const { close } = stores;
    Object.assign(stores, {
      close: async () => {
        const rows = await storedErrors(stores.metadata, builtInAppId(account.id));
        total = rows.reduce((sum, { count }) => sum + count, 0);
        await close();
      },
    });
    await server.stop();
    expect(total).toBe(20);
  });
});
