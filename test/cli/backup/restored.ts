import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'vitest';

import { decryption, storedBytes } from '#test/support/decrypted.ts';
import { sha256 } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { blobsOfFiles, fileBlobs, sqliteRows } from '#test/support/stored.ts';
import { cubbyOver, temporaryFolder } from '../cubby.ts';

/** Restores a backup into a new data folder, with the master key of `from`. Returns the folder and the report. */
export async function restored(
  source: string,
  from: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly dataDir: string; readonly report: any }> {
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(dataDir, { mode: 0o700 });
  await copyFile(join(from, 'master.key'), join(dataDir, 'master.key'));
  const report = await cubbyOver(dataDir, env).json('restore', source, ...args);
  return { dataDir, report };
}

/** Starts a server over a restored folder, and checks that it has these files: ids, and the SHA-256 of each. */
export async function expectFiles(
  dataDir: string,
  credential: string,
  files: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const server = await startTestServer({ dataDir, env });
  for (const [id, hash] of files) {
    const link = await server.send(`/v1/objects/download?object=${encodeURIComponent(id)}`, { credential });
    expect(link.status, id).toBe(302);
    const { pathname, search } = new URL(link.headers.get('location')!);
    const file = await server.send(`${pathname}${search}`, { door: 'files' });
    expect(sha256(file.body), id).toBe(hash);
  }
  return server;
}

/** Checks that every blob that rows name has its bytes, past the product's own code. Returns how many there are. */
export async function expectWhole(dataDir: string): Promise<number> {
  const [rows, blobs] = [sqliteRows(dataDir), fileBlobs(dataDir)];
  const decrypt = await decryption(rows);
  const named = await rows.all(
    `SELECT blob_id, max(size_bytes) AS size, max(sha256) AS sha256 FROM (
       SELECT blob_id, blobs.size_bytes, sha256 FROM ${blobsOfFiles} LEFT JOIN objects USING (content_id)
       WHERE inline IS NULL
       UNION ALL SELECT blob_id, size_bytes, NULL FROM chunked_parts WHERE inline IS NULL) GROUP BY blob_id`,
  );
  for (const { blob_id: id, size, sha256: hash } of named) {
    const bytes = await blobs.read(String(id));
    expect(bytes?.byteLength, String(id)).toBe(storedBytes(String(id), Number(size)));
    if (hash !== null)
      expect(sha256(decrypt(String(id), bytes!)), String(id)).toBe(Buffer.from(hash as Uint8Array).toString('hex'));
  }
  await rows.close();
  return named.length;
}
