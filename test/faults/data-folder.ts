import { createHash } from 'node:crypto';

import { storedBlobs, storedRows } from '#test/support/chosen-store.ts';
import { decryption, storedBytes, type Decrypt } from '#test/support/decrypted.ts';
import { blobsOfFiles, type StoredBlobs, type StoredRow as Row, type StoredRows } from '#test/support/stored.ts';

/** The content of a server's data folder, read without the server, which may run or be dead. */
export interface DataFolder {
  readonly objects: ReadonlyArray<{ readonly accountId: string; readonly key: string; readonly sizeBytes: number }>;
  readonly reservations: number;
  readonly blobsToDelete: number;
  /** Names of files in the blob folder, temporary ones included. */
  readonly files: readonly string[];
  /** Sums over all accounts. */
  readonly usedBytes: number;
  readonly usedObjects: number;
  readonly reservedBytes: number;
  /** All contradictions in the data. Empty for a server at rest. */
  readonly problems: readonly string[];
}

/** Reads a data folder. With `bytes: true` it also hashes every stored file. */
export async function readDataFolder(dataDir: string, options?: { readonly bytes?: boolean }): Promise<DataFolder> {
  const rows = await storedRows(dataDir);
  try {
    return await readStored(rows, await storedBlobs(dataDir), options);
  } finally {
    await rows.close();
  }
}

/** Reads what a server has stored, like `readDataFolder()`. */
export async function readStored(
  stored: StoredRows,
  blobs: StoredBlobs,
  { bytes = false }: { readonly bytes?: boolean } = {},
): Promise<DataFolder> {
  const rows = {
    objects: await stored.all('SELECT * FROM objects ORDER BY account_id, space, key'),
    contents: await stored.all('SELECT * FROM contents'),
    blobs: await stored.all(`SELECT * FROM ${blobsOfFiles} ORDER BY content_id, position`),
    accounts: await stored.all('SELECT * FROM accounts'),
    reservations: await stored.all('SELECT * FROM reservations'),
    uploads: await stored.all('SELECT * FROM chunked_uploads'),
    parts: await stored.all('SELECT * FROM chunked_parts ORDER BY upload_id, part'),
    toDelete: await stored.all('SELECT * FROM marked_blobs'),
  };
  const sizes = await blobs.sizes();
  const sum = (column: string) => rows.accounts.reduce((total, account) => total + Number(account[column]), 0);
  return {
    objects: rows.objects.map((row) => ({
      accountId: String(row.account_id),
      key: String(row.key),
      sizeBytes: Number(row.size_bytes),
    })),
    reservations: rows.reservations.length,
    blobsToDelete: rows.toDelete.length,
    files: [...sizes.keys()],
    usedBytes: sum('used_bytes'),
    usedObjects: sum('used_objects'),
    reservedBytes: sum('reserved_bytes'),
    problems: [
      ...problemsOfRows(rows),
      ...problemsOfFiles(rows, sizes),
      ...(bytes ? await problemsOfBytes(rows, blobs, await decryption(stored)) : []),
    ],
  };
}

interface Rows {
  readonly objects: Row[];
  readonly contents: Row[];
  readonly blobs: Row[];
  readonly accounts: Row[];
  readonly reservations: Row[];
  readonly uploads: Row[];
  readonly parts: Row[];
  readonly toDelete: Row[];
}

function* problemsOfRows({
  objects,
  contents,
  accounts,
  blobs,
  reservations,
  toDelete,
  uploads,
  parts,
}: Rows): Generator<string> {
  if (reservations.length > 0) yield `${reservations.length} reservations are left`;
  if (toDelete.length > 0) yield `${toDelete.length} blobs still wait for their deletion`;
  for (const account of accounts) {
    const own = objects.filter((object) => object.account_id === account.account_id);
    const bytes = own.reduce((total, object) => total + Number(object.size_bytes), 0);
    if (account.used_bytes !== bytes)
      yield `account ${account.account_id} uses ${account.used_bytes} bytes, but its files are ${bytes}`;
    if (account.used_objects !== own.length)
      yield `account ${account.account_id} uses ${account.used_objects} files, but has ${own.length}`;
    const stored = uploads
      .filter((upload) => upload.account_id === account.account_id)
      .reduce((total, upload) => total + Number(upload.stored_bytes), 0);
    if (account.flowing_bytes !== 0)
      yield `account ${account.account_id} counts ${account.flowing_bytes} bytes as flowing, and nothing flows`;
    if (account.reserved_bytes !== stored)
      yield `account ${account.account_id} holds ${account.reserved_bytes} bytes, but its parts are ${stored}`;
  }
  const partsOf = Map.groupBy(parts, (part) => part.upload_id);
  for (const { upload_id: id, stored_bytes: stored } of uploads) {
    const bytes = (partsOf.get(id) ?? []).reduce((total, part) => total + Number(part.size_bytes), 0);
    if (stored !== bytes) yield `upload ${id} counts ${stored} bytes, but its parts have ${bytes}`;
  }
  const pointing = Map.groupBy(objects, (object) => object.content_id);
  const blobsOf = Map.groupBy(blobs, (blob) => blob.content_id);
  const sizes = new Map(contents.map((content) => [content.content_id, content.size_bytes]));
  for (const { content_id: id, pointing_rows: counted, size_bytes: size } of contents) {
    if (counted !== (pointing.get(id)?.length ?? 0))
      yield `content ${id} counts ${counted} rows, but ${pointing.get(id)?.length ?? 0} point to it`;
    const bytes = (blobsOf.get(id) ?? []).reduce((total, blob) => total + Number(blob.size_bytes), 0);
    if (size !== bytes) yield `content ${id} has ${size} bytes, but its blobs have ${bytes}`;
  }
  for (const { key, content_id: id, size_bytes: size } of objects) {
    if (sizes.get(id) !== size) yield `${key} has ${size} bytes, but its content ${sizes.get(id)}`;
  }
}

function* problemsOfFiles({ blobs, parts }: Rows, sizes: ReadonlyMap<string, number>): Generator<string> {
  const named = new Set<string>();
  for (const { blob_id: id, size_bytes: size, inline } of [...blobs, ...parts]) {
    if (inline !== null) continue;
    if (named.has(String(id))) yield `two rows name the blob ${id}`;
    named.add(String(id));
    const stored = sizes.get(String(id));
    if (stored === undefined) yield `a row names blob ${id}, which is not there`;
    else if (stored !== storedBytes(String(id), Number(size)))
      yield `blob ${id} has ${stored} bytes, but its row says ${size}`;
  }
  for (const file of sizes.keys()) if (!named.has(file)) yield `no row names the file ${file}`;
}

async function problemsOfBytes({ objects, blobs }: Rows, stored: StoredBlobs, decrypt: Decrypt): Promise<string[]> {
  const blobsOf = Map.groupBy(blobs, (blob) => blob.content_id);
  const problems: string[] = [];
  for (const { key, content_id: id, sha256 } of objects) {
    if (sha256 === null) continue; // a job still computes it
    const hash = createHash('sha256');
    for (const { inline, blob_id: blobId } of blobsOf.get(id) ?? []) {
      const kept = (inline as Uint8Array | null) ?? (await stored.read(String(blobId)));
      if (kept) hash.update(decrypt(String(blobId), kept));
    }
    if (!hash.digest().equals(sha256 as Uint8Array))
      problems.push(`the bytes of ${key} are not the ones that were uploaded`);
  }
  return problems;
}
