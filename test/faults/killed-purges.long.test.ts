import { describe, expect, it, onTestFinished } from 'vitest';

import { startHookServer } from '#test/support/hook-server.ts';
import { ask, deleteFiles, uploadFile } from './client.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';
import { someBytes } from '#test/support/files.ts';

/** Later than the time that a process has for a purge that it has taken. */
const laterMs = 60_000;

/** Starts a server behind a CDN that answers nothing. */
async function start() {
  const hook = await startHookServer();
  hook.answer = () => {};
  const env = {
    CUBBY_PUBLIC_URL: 'https://cdn.example.com',
    CUBBY_CDN_PURGE_URL: `http://127.0.0.1:${hook.port}/purge`,
  };
  const server = await spawnServer({ env });
  onTestFinished(() => server.remove());
  const account = await server.account();
  const upload = async (name: string) =>
    (await uploadFile(server, account, name, someBytes())).json.response as { id: string; url: string };
  /** Kills the server. The next one's CDN works. */
  const restart = async (clockOffsetMs: number): Promise<SpawnedServer> => {
    await server.kill();
    hook.answer = (res) => res.writeHead(204).end();
    const next = await spawnServer({ dataDir: server.dataDir, env, clockOffsetMs });
    onTestFinished(() => next.kill());
    return next;
  };
  const calls = () => hook.calls.map(({ body }) => (body as { urls: string[] }).urls);
  return { server, account, upload, restart, calls };
}

/** How long a server may take until it looks for what others have left. */
const patience = { timeout: 20_000 };

describe('a server that is killed', () => {
  it('before it has told the CDN of a deletion leaves that to the next one', async () => {
    const { server, account, upload, restart, calls } = await start();
    const [a, b] = [await upload('a'), await upload('b')];
    expect((await deleteFiles(server, account, [a.id])).status).toBe(200);
    await expect.poll(calls).toEqual([[a.url]]);
    // The second one is in no call yet, or in one.
    expect((await deleteFiles(server, account, [b.id])).status).toBe(200);
    await restart(laterMs);
    const told = () => calls().slice(1).flat();
    await expect.poll(() => new Set(told()), patience).toEqual(new Set([a.url, b.url]));
  });

  it('while the CDN is told that a file became private leaves that to the next one', async () => {
    const { server, account, upload, restart, calls } = await start();
    const { id, url } = await upload('a');
    const body = JSON.stringify({ object: id, private: true });
    const hiding = ask(`${server.urls.base}/v1/objects`, { method: 'PATCH', credential: account.credential, body });
    const cutOff = expect(hiding).rejects.toThrow();
    await expect.poll(calls).toEqual([[url]]);
    await restart(laterMs);
    await cutOff;
    await expect.poll(() => calls().length, patience).toBe(2);
    expect(calls()[1]).toEqual([url]);
  });
});
