import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform, type Readable } from 'node:stream';

import { imageFormats, type ImageFormat } from '../../variant.ts';
import type { ByteRange } from '#server/domain/ports/blobs.ts';
import type { Rendered } from '../../image-ports.ts';
import { ivBytes, newIv, type VariantCipher } from './variant-cipher.ts';

/*
 * A file of the cache: "CV1 " and the id of the key, the first counter, then encrypted the entity tag, the format and
 * the bytes of the variant.
 */
const magic = 'CV1 ';
const keyIdLetters = 16;
const ivAt = magic.length + keyIdLetters;
const sealedAt = ivAt + ivBytes;
const etagLetters = 32;
const formatLetters = 4;
const aboutBytes = etagLetters + formatLetters;
const bytesAt = sealedAt + aboutBytes;

/** What a file of the cache contains. */
export interface VariantAbout {
  readonly etag: string;
  readonly format: ImageFormat;
  readonly sizeBytes: number;
}

/** Writes a variant, and gives the file its name once it is whole and on the disk. */
export async function writeVariant(
  path: string,
  { format, sizeBytes, bytes }: Rendered,
  cipher: VariantCipher,
): Promise<VariantAbout> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const iv = newIv();
  const handle = await openNew(temporary);
  try {
    try {
      const etag = await writeBytes(handle, bytes, sizeBytes, cipher.at(iv, aboutBytes));
      const about = cipher.at(iv, 0)(Buffer.from(etag + format.padEnd(formatLetters)));
      const head = Buffer.concat([Buffer.from(magic + cipher.keyId), iv, about]);
      await handle.write(head, 0, head.length, 0);
      await handle.datasync();
      await rename(temporary, path);
      return { etag, format, sizeBytes };
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Creates a file, and its folder. The folder may be removed between the two, because it is empty. */
async function openNew(path: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 3) throw error;
    }
  }
}

/** Returns the entity tag of the bytes. */
async function writeBytes(
  handle: FileHandle,
  bytes: Readable,
  sizeBytes: number,
  encrypt: (bytes: Buffer) => Buffer,
): Promise<string> {
  const hash = createHash('sha256');
  let at = 0;
  for await (const chunk of bytes) {
    hash.update(chunk as Buffer);
    await handle.write(encrypt(chunk as Buffer), 0, (chunk as Buffer).length, bytesAt + at);
    at += (chunk as Buffer).length;
    if (at >= sizeBytes) break;
  }
  if (at !== sizeBytes) throw new Error(`A variant has ${at} bytes in place of ${sizeBytes}.`);
  return hash.digest('hex').slice(0, etagLetters);
}

/** Returns what a file contains. Undefined without a file, or if it is another key's. */
export async function readAbout(path: string, cipher: VariantCipher): Promise<VariantAbout | undefined> {
  const handle = await openIfThere(path);
  if (!handle) return undefined;
  try {
    const head = Buffer.alloc(bytesAt);
    const { bytesRead } = await handle.read(head, 0, bytesAt, 0);
    if (bytesRead < bytesAt || head.toString('latin1', 0, ivAt) !== magic + cipher.keyId) return undefined;
    const about = cipher.at(ivOf(head), 0)(head.subarray(sealedAt)).toString('latin1');
    const format = imageFormats.find((one) => one === about.slice(etagLetters).trim());
    const { size } = await handle.stat();
    return format && { etag: about.slice(0, etagLetters), format, sizeBytes: size - bytesAt };
  } finally {
    await handle.close();
  }
}

/** Opens the bytes of a variant, or a range of them. Undefined without a file. */
export async function openVariant(
  path: string,
  range: ByteRange | undefined,
  cipher: VariantCipher,
): Promise<Readable | undefined> {
  const handle = await openIfThere(path);
  if (!handle) return undefined;
  const head = Buffer.alloc(sealedAt);
  try {
    await handle.read(head, 0, sealedAt, 0);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const start = range?.start ?? 0;
  const decrypt = cipher.at(ivOf(head), aboutBytes + start);
  const source = handle.createReadStream({
    start: bytesAt + start,
    ...(range && { end: bytesAt + range.end }),
  });
  const decrypting = new Transform({ transform: (chunk: Buffer, _encoding, done) => done(null, decrypt(chunk)) });
  source.on('error', (error) => decrypting.destroy(error));
  return source.pipe(decrypting).once('close', () => source.destroy());
}

function ivOf(head: Buffer): Buffer {
  return head.subarray(ivAt, sealedAt);
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
