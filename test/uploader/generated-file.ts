import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** A file on the disk, removed when the test ends. */
export interface GeneratedFile {
  readonly path: string;
  readonly sha256: string;
}

const mebibyte = 1_048_576;

/** Makes a file in which all MiB differ. */
export async function generateFile(name: string, sizeBytes: number): Promise<GeneratedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-upload-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  const hash = createHash('sha256');
  const file = await open(path, 'w');
  const block = randomBytes(mebibyte);
  for (let written = 0; written < sizeBytes; written += mebibyte) {
    block.writeUInt32BE(written / mebibyte);
    const piece = block.subarray(0, Math.min(mebibyte, sizeBytes - written));
    hash.update(piece);
    await file.write(piece);
  }
  await file.close();
  return { path, sha256: hash.digest('hex') };
}
