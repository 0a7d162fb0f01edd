import { createHash, hash } from 'node:crypto';

import type { DatabaseCopy } from './database-copies.ts';
import type { StoredDatabase } from './generation.ts';
import { BackupRefused, type BackupTarget, type OnBackupStep } from './target.ts';

/** A piece of a database: 64 of its pages. Pieces that have not changed are sent once. */
const chunkBytes = 256 * 1024;

const parallelPuts = 8;

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns the id of a piece, which follows from its SHA-256: the first 130 bits in base 32. */
export function chunkId(sha256: string): string {
  let [id, bits, count] = ['', 0, 0];
  for (let at = 0; id.length < 26; at += 2) {
    bits = ((bits << 8) | Number.parseInt(sha256.slice(at, at + 2), 16)) & 0xfff;
    for (count += 8; count >= 5 && id.length < 26; count -= 5) id += base32[(bits >> (count - 5)) & 31];
  }
  return id;
}

/**
 * Sends the pieces of a database that the target lacks.
 *
 * @param known the ids of the pieces in the target. Gets those that were sent
 */
export async function sendDatabase(
  { chunks }: Pick<BackupTarget, 'chunks'>,
  copy: DatabaseCopy,
  known: Set<string>,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: OnBackupStep },
): Promise<{ readonly database: StoredDatabase; readonly sentBytes: number }> {
  const whole = createHash('sha256');
  const hashes: string[] = [];
  const sending = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let [read, sentBytes] = [0, 0];
  for await (const piece of copy.pieces(chunkBytes)) {
    signal.throwIfAborted();
    whole.update(piece);
    const sha256 = hash('sha256', piece, 'hex');
    hashes.push(sha256);
    read += piece.byteLength;
    const id = chunkId(sha256);
    if (!known.has(id)) {
      known.add(id);
      sentBytes += piece.byteLength;
      const bytes = Buffer.from(piece); // copied, because the next piece takes its place
      const sent: Promise<unknown> = chunks
        .put(id, one(bytes), { signal, announcedBytes: bytes.byteLength, isExact: true })
        .catch((error: unknown) => failures.push(error))
        .finally(() => sending.delete(sent));
      sending.add(sent);
    }
    if (sending.size >= parallelPuts) await Promise.race(sending);
    if (failures.length > 0) break;
    onStep({ doing: 'copying the database', done: read, total: copy.sizeBytes });
  }
  await Promise.all(sending);
  if (failures.length > 0) throw failures[0];
  return { database: { size_bytes: read, sha256: whole.digest('hex'), chunks: hashes }, sentBytes };
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Yields the bytes of a database, and checks each piece and the whole.
 *
 * @throws {BackupRefused} when bytes are damaged or missing
 */
export async function* readDatabase(
  { chunks, address }: Pick<BackupTarget, 'chunks' | 'address'>,
  { chunks: hashes, sha256 }: StoredDatabase,
): AsyncGenerator<Uint8Array> {
  const whole = createHash('sha256');
  for (const expected of hashes) {
    const id = chunkId(expected);
    const parts: Uint8Array[] = [];
    for await (const part of await chunks.open(id)) parts.push(new Uint8Array(part));
    const piece = Buffer.concat(parts);
    if (hash('sha256', piece, 'hex') !== expected)
      throw new BackupRefused(`The piece ${id} of the database in ${address} is damaged. Take another generation.`);
    whole.update(piece);
    yield piece;
  }
  if (whole.digest('hex') !== sha256)
    throw new BackupRefused(`The database in ${address} is not the one that was written. Take another generation.`);
}
