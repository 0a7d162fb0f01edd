import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import { readDatabase } from '#server/domain/backup/database-chunks.ts';
import { findGeneration, generationNames } from '#server/domain/backup/generation.ts';
import { IndexLog } from '#server/domain/backup/index-log.ts';
import type { BackupTarget } from '#server/domain/backup/target.ts';
import type { BackupSource } from '#server/domain/store-check/blob-repair.ts';
import type { Encrypt } from './encrypted/encrypted-blobs.ts';
import { openTarget } from './open-target.ts';
import { scratchIndexIn } from './scratch.ts';
import { inlineBytesOf } from './sqlite/database-copies.ts';

/**
 * Opens a backup to take bytes from it.
 *
 * @param encrypt of the stores that are repaired
 */
export async function openRepairs(
  place: BackupPlace,
  config: Config,
  encrypt: Encrypt,
): Promise<BackupSource & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const opened = opening.adopt(await openTarget(place, false), (one) => one.close());
  const blobs = opening.adopt(encrypt(opened.blobs), (one) => one.close());
  const target = { ...opened, blobs };
  const { scratch, index } = await scratchIndexIn(opening, config.dataDir, 'repair');
  const names = await generationNames(target);
  const newest = names.at(-1);
  await IndexLog.read(target, newest === undefined ? [] : (await findGeneration(target, newest)).index, index);
  const databases = opening.adopt(new BackupDatabases(target, names, scratch), (one) => one.close());
  const all = opening.move();
  return {
    target,
    index,
    inlineBytes: (contentId, blobId) => databases.inlineBytes(contentId, blobId),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/**
 * The databases of the newest and the oldest generation. Each is copied to a scratch folder when it is first needed.
 */
class BackupDatabases {
  readonly #target: BackupTarget;
  readonly #names: readonly string[];
  readonly #scratch: string;
  readonly #opened = new Map<string, ReturnType<typeof inlineBytesOf> | undefined>();

  constructor(target: BackupTarget, names: readonly string[], scratch: string) {
    this.#target = target;
    this.#names = [...new Set([names.at(-1), names.at(0)])].filter((name) => name !== undefined);
    this.#scratch = scratch;
  }

  async *inlineBytes(contentId: string, blobId: string): AsyncGenerator<Uint8Array> {
    for (const name of this.#names) {
      const found = (await this.#open(name))?.find(contentId, blobId);
      if (found) yield found;
    }
  }

  /** Returns undefined for a generation whose rows are in PostgreSQL. */
  async #open(name: string): Promise<ReturnType<typeof inlineBytesOf> | undefined> {
    if (this.#opened.has(name)) return this.#opened.get(name);
    const { database } = await findGeneration(this.#target, name);
    const path = join(this.#scratch, `${name}.db`);
    if (database) await writeFile(path, readDatabase(this.#target, database), { mode: 0o600 });
    const opened = database ? inlineBytesOf(path) : undefined;
    this.#opened.set(name, opened);
    return opened;
  }

  close(): void {
    for (const opened of this.#opened.values()) opened?.close();
  }
}
