import { expect } from 'vitest';

import { formWith, someBytes } from '#test/support/files.ts';
import { eventually } from '#test/support/eventually.ts';
import type { TestAccount } from '#test/support/server.ts';
import { heldUses } from '#test/support/upload-tokens.ts';
import { ask, rawUpload } from './client.ts';
import type { CrashWork } from './crash-work.ts';
import type { SpawnedServer } from './spawned-server.ts';

const uses = 3;

/**
 * Uploads with a token: once completely, then halfway, as often as the token allows. Only the uses of interrupted
 * uploads must be given back.
 */
export function tokenWork(account: TestAccount): CrashWork {
  let token: string;
  let rounds = 0;
  const send = ({ urls }: SpawnedServer) =>
    ask(`${urls.base}/v1/objects?name=photo`, {
      method: 'POST',
      credential: token,
      body: formWith(someBytes(600)),
    });
  return {
    async begin(server) {
      rounds++;
      const minted = await ask(`${server.urls.base}/v1/upload-tokens`, {
        method: 'POST',
        credential: account.credential,
        body: JSON.stringify({ max_uses: uses }),
      });
      ({ token } = minted.json.response);
      expect((await send(server)).status).toBe(200);
      const uploads = await Promise.all(
        Array.from({ length: uses - 1 }, (_, number) =>
          rawUpload(server, { ...account, credential: token }, `${number}`, someBytes(300_000)),
        ),
      );
      for (const upload of uploads) await upload.sendUntil(upload.at.content + 100_000);
      await eventually(async () => expect(await heldUses(server.dataDir)).toBe(uploads.length));
      expect((await send(server)).json.code).toBe('UPLOAD_TOKEN_USED');
      return { enough: Promise.resolve(), ended: Promise.all(uploads.map((upload) => upload.status())) };
    },
    async check(server) {
      const codes: unknown[] = [];
      for (let use = 1; use <= uses; use++) codes.push((await send(server)).json.code);
      const expected = [undefined, undefined, 'UPLOAD_TOKEN_USED'];
      return codes.every((code, at) => code === expected[at]) ? [] : [`a token answers ${codes.join(', ')}`];
    },
    summary: () => `${rounds * (uses - 1)} uses of tokens were given back`,
  };
}
