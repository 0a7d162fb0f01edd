import { Readable } from 'node:stream';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { checkOpenStore } from '#server/stores/open-check.ts';
import { freshBucket, type TestBucket } from '#test/support/bucket/bucket.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { cubbyHere, temporaryFolder } from '../cubby.ts';

/** Bytes without a row are older than this when they are moved away. The bucket's clock cannot be put back. */
const hourMs = 3_600_000;

/** The same store, in which everything looks older. */
function aged(real: BlobStore): BlobStore {
  return {
    put: (...args) => real.put(...args),
    open: (...args) => real.open(...args),
    delete: (blobId) => real.delete(blobId),
    async *ids() {
      for await (const one of real.ids()) yield { ...one, ageMs: one.ageMs + 2 * hourMs };
    },
  };
}

async function serverOverBucket(
  wrap: (real: BlobStore) => BlobStore = (real) => real,
): Promise<{ server: TestServer; bucket: TestBucket; hashes: Map<string, string> }> {
  const bucket = await freshBucket();
  onTestFinished(() => bucket.remove());
  const server = await startTestServer({ ownStores: true, env: bucket.settings, blobs: wrap });
  const account = await server.account();
  const hashes = new Map<string, string>();
  for (let at = 0; at < 4; at++) {
    const bytes = someBytes(20_000 + at);
    await upload(server, account, { bytes, query: { name: `f-${at}`, private: 'true' } });
  }
  for (const { blobId, sha256: hash } of await server.running.app.stores.metadata.read.contents.named('', 10))
    hashes.set(blobId, hash!);
  return { server, bucket, hashes };
}

describe('cubby store check over a bucket', () => {
  it('finds damaged and lost objects, and brings them back from a backup', async () => {
    const { server, bucket, hashes } = await serverOverBucket();
    const cubby = cubbyHere(server.dataDir, bucket.settings);
    const target = join(await temporaryFolder(), 'backup');
    await cubby.json('backup', target);
    const [lost, damaged] = [...hashes.keys()] as [string, string];
    const { blobs } = server.running.app.stores;
    const { byteLength } = (await bucket.blobs.read(damaged))!;
    for (const id of [lost, damaged]) await blobs.delete(id);
    await blobs.put(damaged, Readable.from([someBytes(byteLength)]));

    const check = async (...args: readonly string[]) =>
      JSON.parse((await cubby('store', 'check', '--bytes', '--json', ...args)).stdout);
    expect((await check()).problems.map(({ kind }: any) => kind)).toEqual(['missing-bytes', 'damaged-bytes']);
    expect(await check('--repair', '--from', target)).toMatchObject({ left: 0, repaired: 2 });
    expect(await check()).toMatchObject({ problems: [], checked: { blobs: 4, contents: 4 } });
    for (const [id, hash] of hashes) expect(sha256((await bucket.blobs.read(id))!), id).toBe(hash);
    // The damaged bytes are kept for a day.
    const kept = [...(await bucket.blobs.sizes()).keys()].filter((name) => name.startsWith('quarantine/'));
    expect(kept).toEqual([`quarantine/${damaged}`]);
  });

  it('moves objects without a row into the quarantine, and takes back what a row names', async () => {
    const { server, bucket, hashes } = await serverOverBucket(aged);
    const { stores } = server.running.app;
    const stranger = 'a'.repeat(26);
    await stores.blobs.put(stranger, Readable.from([Buffer.from('nobody')]));
    const config = parseConfig({ CUBBY_DATA_DIR: server.dataDir, ...bucket.settings });
    const check = (repairs: boolean) =>
      checkOpenStore(
        { stores, config, place: undefined },
        { repairs, readsBytes: true, signal: new AbortController().signal, onStep: () => {} },
      );
    expect((await check(false)).problems).toMatchObject([{ kind: 'bytes-without-row', repair: null }]);
    expect((await check(true)).problems).toMatchObject([
      { kind: 'bytes-without-row', repair: expect.stringMatching(/quarantine/) },
    ]);
    expect(await bucket.blobs.read(stranger)).toBeUndefined();
    expect(await bucket.blobs.read(`quarantine/${stranger}`)).toEqual(Buffer.from('nobody'));

    const [named] = [...hashes.keys()] as [string];
    await stores.quarantine.put(named);
    expect(await bucket.blobs.read(named)).toBeUndefined();
    expect((await check(true)).problems).toMatchObject([
      { kind: 'missing-bytes', repair: 'taken back from the quarantine' },
    ]);
    expect(sha256((await bucket.blobs.read(named))!)).toBe(hashes.get(named));
    expect((await check(false)).problems).toEqual([]);
  });
});
