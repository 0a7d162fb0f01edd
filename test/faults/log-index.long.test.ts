import { statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { fetchFile, uploadFile, type Answer } from './client.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';
import { noStrace, sabotage } from './strace.ts';

/** Pages of the log that the first 32 KiB of its index have room for. */
const indexedPages = 4_062;
const pageBytes = 4_096 + 24;

describe.skipIf(noStrace)(
  `a log of the database whose index cannot grow${noStrace ? ` (skipped: ${noStrace})` : ''}`,
  () => {
    let first: SpawnedServer;
    let server: SpawnedServer;
    let account: TestAccount;
    beforeAll(async () => {
      first = server = await spawnServer({ ownStores: true });
      account = await server.account();
    });
    afterAll(async () => {
      await server.kill();
      await first.remove();
    });

    const pages = () => statSync(join(first.dataDir, 'cubby.db-wal')).size / pageBytes;

    it('rejects a replacement, and after a crash the previous file is there', async () => {
      for (let number = 0; pages() < indexedPages - 500; number++)
        await server.fill({ accountId: account.id, rows: 500, folders: 1, prefix: `${number}/` });
      let kept: Buffer = Buffer.alloc(0);
      let answer: Answer;
      const full = await sabotage(server.pid, 'pwrite64:error=ENOSPC', [join(first.dataDir, 'cubby.db-shm')]);
      for (;;) {
        const bytes = someBytes(16_000);
        answer = await uploadFile(server, account, 'replaced', bytes);
        if (answer.status !== 200) break;
        kept = bytes;
      }
      expect(answer.json.code).toBe('INSUFFICIENT_STORAGE');
      await server.kill();
      expect(await full.end()).toBeGreaterThan(0);
      server = await spawnServer({ dataDir: first.dataDir, ownStores: true });
      const { status, bytes } = await fetchFile(server, `pub/${account.id}/replaced.png`);
      expect({ status, isKept: bytes.equals(kept) }).toEqual({ status: 200, isKept: true });
    });
  },
);
