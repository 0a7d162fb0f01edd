import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { freshBucket } from '#test/support/bucket/bucket.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { cubbyHere, temporaryFolder } from '../cubby.ts';
import { expectFiles, expectWhole } from './restored.ts';

describe('cubby backup to a bucket', () => {
  it('adds generations below a prefix, from which a server is restored', async () => {
    const bucket = await freshBucket();
    onTestFinished(() => bucket.remove());
    const env = {
      CUBBY_BACKUP_TARGET: bucket.settings.CUBBY_BLOBS_URL!,
      AWS_ACCESS_KEY_ID: bucket.settings.CUBBY_BLOBS_ACCESS_KEY_ID!,
      AWS_SECRET_ACCESS_KEY: bucket.settings.CUBBY_BLOBS_SECRET_ACCESS_KEY!,
    };
    const server = await startTestServer();
    const account = await server.account();
    const files = new Map<string, string>();
    const add = async (name: string) => {
      const bytes = someBytes(40_000);
      files.set(
        (await upload(server, account, { bytes, query: { name, private: 'true' } })).json().response.id,
        sha256(bytes),
      );
    };
    const cubby = cubbyHere(server.dataDir, env);
    await add('one');
    const first = await cubby.json('backup', '--with-master-key');
    expect(first).toMatchObject({ sent: { blobs: 1 }, master_key: true, damaged_blobs: [] });
    await add('two');
    expect(await cubby.json('backup', '--keep', '1')).toMatchObject({
      sent: { blobs: 1 },
      removed_generations: [first.generation],
    });
    expect((await cubby.json('backup', '--list')).generations).toHaveLength(1);
    const dataDir = join(await temporaryFolder(), 'data');
    await mkdir(dataDir, { mode: 0o700 });
    expect(await cubbyHere(dataDir, env).json('restore')).toMatchObject({ missing_blobs: [], blobs: { count: 2 } });
    expect(await expectWhole(dataDir)).toBe(2);
    await (await expectFiles(dataDir, account.credential, files)).stop();
  });
});
