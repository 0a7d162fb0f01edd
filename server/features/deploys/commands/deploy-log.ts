import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { deployLogKeptMs, maxDeployLogBytes } from '../limits.ts';
import { deployLogFile } from '../stores/filesystem/deploy-logs.ts';

/** The log of one deploy: output of the runner, of git and of the command, over all attempts. */
export interface DeployLog {
  /** Adds a line of the runner itself. */
  note(text: string): void;
  /** Adds output of a program. */
  write(bytes: Buffer): void;
  /** Writes the bytes that were not written yet, because a secret might have begun in them. */
  close(): void;
}

const newline = 0x0a;
const endNote = Buffer.from('\n[cubby] The output continues, but only the first mebibyte is kept.\n');

/** Reads a deploy's log. Returns undefined if the deploy was never started. */
export async function readDeployLog(dataDir: string, deployId: string): Promise<string | undefined> {
  return readFile(deployLogFile(dataDir, deployId), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** Removes logs without changes for 90 days. */
export async function forgetDeployLogs(dataDir: string, now: number): Promise<void> {
  const folder = join(dataDir, 'deploys');
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.log'))) {
    const { mtimeMs } = await stat(join(folder, name));
    if (mtimeMs < now - deployLogKeptMs) await rm(join(folder, name), { force: true });
  }
}

/**
 * Opens a deploy's log for appending. Only the server's user can read it.
 *
 * @param secrets texts that are replaced by `***`, even when split over several writes
 */
export async function openDeployLog(dataDir: string, deployId: string, secrets: readonly string[]): Promise<DeployLog> {
  await mkdir(join(dataDir, 'deploys'), { recursive: true, mode: 0o700 });
  const file = openSync(deployLogFile(dataDir, deployId), 'a+', 0o600);
  const { size } = fstatSync(file);
  let leftBytes = maxDeployLogBytes - size;
  let endsLine = size === 0 || lastByteOf(file, size) === newline;
  const put = (bytes: Buffer): void => {
    if (bytes.length === 0) return;
    writeQuietly(file, bytes);
    endsLine = bytes.at(-1) === newline;
  };
  const append = (bytes: Buffer): void => {
    if (leftBytes <= 0) return;
    put(bytes.subarray(0, leftBytes));
    leftBytes -= bytes.length;
    if (leftBytes <= 0) put(endNote);
  };
  const mask = masking(secrets, append);
  return {
    note(text) {
      mask.flush();
      // The runner's lines are few, and its result is worth more than the limit.
      put(mask.masked(Buffer.from(`${endsLine ? '' : '\n'}[cubby] ${text}\n`)));
    },
    write: mask.write,
    close() {
      mask.flush();
      closeSync(file);
    },
  };
}

function lastByteOf(file: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  return readSync(file, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined;
}

/** Writes without failing: a full disk loses log lines, but never the result of a deploy. */
function writeQuietly(file: number, bytes: Buffer): void {
  try {
    writeSync(file, bytes);
  } catch {
    // Nothing else can report it.
  }
}

/** Replaces secrets in a stream. Holds back as many bytes as a secret that has begun may still need. */
function masking(
  secrets: readonly string[],
  append: (bytes: Buffer) => void,
): { write(bytes: Buffer): void; flush(): void; masked(bytes: Buffer): Buffer } {
  // In Latin-1 each byte is one character, so texts of any encoding can be searched.
  const wanted = secrets
    .filter((secret) => secret !== '')
    .map((secret) => Buffer.from(secret).toString('latin1'))
    .sort((a, b) => b.length - a.length);
  const pendingBytes = Math.max(0, ...wanted.map(({ length }) => length - 1));
  const masked = (bytes: Buffer) =>
    Buffer.from(
      wanted.reduce((text, secret) => text.replaceAll(secret, '***'), bytes.toString('latin1')),
      'latin1',
    );
  let pending = Buffer.alloc(0);
  return {
    write(bytes) {
      const text = masked(Buffer.concat([pending, bytes]));
      const keep = Math.min(pendingBytes, text.length);
      append(text.subarray(0, text.length - keep));
      pending = Buffer.from(text.subarray(text.length - keep));
    },
    flush() {
      append(pending);
      pending = Buffer.alloc(0);
    },
    masked,
  };
}
