import { afterAll, describe, expect, it } from 'vitest';

import { formWith, someBytes } from '#test/support/files.ts';
import { heldUses } from '#test/support/upload-tokens.ts';
import { ask, rawUpload } from './client.ts';
import { readDataFolder } from './data-folder.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

describe('a server that is killed while a token uploads', () => {
  let server: SpawnedServer | undefined;
  let first: SpawnedServer | undefined;
  afterAll(async () => {
    await server?.kill();
    await first?.remove();
  });

  it('gives the use back when it starts again, and no other', async () => {
    server = first = await spawnServer();
    const account = await server.account();
    const send = (token: string) =>
      ask(`${server!.urls.base}/v1/objects?name=photo`, {
        method: 'POST',
        credential: token,
        body: formWith(someBytes(600)),
      });
    const minted = await ask(`${server.urls.base}/v1/upload-tokens`, {
      method: 'POST',
      credential: account.credential,
      body: '{"max_uses":3}',
    });
    const { token } = minted.json.response;
    expect((await send(token)).status).toBe(200);
    for (const name of ['one', 'two']) {
      const upload = await rawUpload(server, { ...account, credential: token }, name, someBytes(300_000));
      await upload.sendUntil(upload.at.content + 100_000);
    }
    await expect.poll(() => heldUses(first!.dataDir), { timeout: 5_000 }).toBe(2);
    expect((await send(token)).json.code).toBe('UPLOAD_TOKEN_USED');

    await server.kill();
    server = await spawnServer({ dataDir: first.dataDir });
    expect([await send(token), await send(token), await send(token)].map(({ json }) => json.code)).toEqual([
      undefined,
      undefined,
      'UPLOAD_TOKEN_USED',
    ]);
    expect(readDataFolder(first.dataDir).problems).toEqual([]);
  });
});
