import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { allEnded } from '#server/domain/all-ended.ts';
import { BackupRefused, NoBackupYet, type BackupTarget, type Documents } from '#server/domain/backup/target.ts';
import { lockName } from '#server/domain/backup/target-lock.ts';
import { BlobStoreFull, type RawBlobStore } from '#server/domain/ports/blobs.ts';
import { FilesystemBlobStore } from '#server/stores/filesystem/blobs.ts';
import { isNoSpace } from '#server/stores/filesystem/disk-reserve.ts';
import { durability, makeFolders, type Durability } from '#server/stores/filesystem/durability.ts';
import { draftSuffix, replaceFile } from '#server/stores/filesystem/replace-file.ts';
import { markName, masterKeysFolder } from '#server/domain/backup/generation.ts';

/** What a cut-off backup may have left before it wrote its mark. Anything else is not ours. */
const ownNames = [
  ...['blobs', 'database', 'generations', 'index', masterKeysFolder, 'lost+found'],
  ...[lockName, `${lockName}${draftSuffix}`, `${markName}${draftSuffix}`],
];

/** A target whose store keeps blobs as they are given to it. */
export interface OpenTarget extends BackupTarget {
  readonly blobs: RawBlobStore;
  close(): Promise<void>;
}

/**
 * Opens a folder as a target. Its parent has to exist.
 *
 * @param isWritten whether it may be created. A folder with other things is refused
 * @throws {BackupRefused} and {NoBackupYet} for a folder that is only read
 */
export async function folderTarget(folder: string, isWritten: boolean, sync = true): Promise<OpenTarget> {
  const durable = durability(sync);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => notThere(folder, isWritten, error));
  if (!names.includes(markName) && names.some((name) => !ownNames.includes(name) && !name.startsWith('scratch-')))
    throw new BackupRefused(
      `The folder ${folder} is neither empty nor a backup of Cubby: it has no ${markName}. Name another folder.`,
    );
  if (!isWritten && !names.includes(markName))
    throw new NoBackupYet(`There is no backup of Cubby in ${folder}. Is its disk mounted?`);
  for (const name of ['generations', 'index', masterKeysFolder]) await makeFolders(join(folder, name), durable);
  const blobs = await FilesystemBlobStore.open(join(folder, 'blobs'), { sync });
  const chunks = await FilesystemBlobStore.open(join(folder, 'database'), { sync });
  return {
    address: folder,
    documents: new FolderDocuments(folder, durable),
    blobs,
    chunks,
    async sweep() {
      await blobs.sweepTemporaries();
      await chunks.sweepTemporaries();
    },
    close: () => allEnded([blobs.close(), chunks.close()]),
  };
}

async function notThere(folder: string, isWritten: boolean, error: NodeJS.ErrnoException): Promise<string[]> {
  if (error.code === 'ENOTDIR') throw new BackupRefused(`${folder} is a file. Name a folder.`);
  if (error.code !== 'ENOENT') throw error;
  const parent = dirname(folder);
  const hasParent = await readdir(parent).then(
    () => true,
    () => false,
  );
  // A folder below a disk that is not mounted would be made on the wrong disk.
  if (!hasParent) throw new BackupRefused(`There is no folder ${isWritten ? parent : folder}. Is its disk mounted?`);
  if (!isWritten) throw new NoBackupYet(`There is no folder ${folder}. Is its disk mounted?`);
  return [];
}

class FolderDocuments implements Documents {
  readonly #folder: string;
  readonly #durable: Durability;

  constructor(folder: string, durable: Durability) {
    this.#folder = folder;
    this.#durable = durable;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return readFile(join(this.#folder, name)).catch(unlessMissing);
  }

  /** The folder is not made: when it is gone, its disk is not mounted any more. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#folder, name);
    try {
      await replaceFile(path, bytes, this.#durable);
    } catch (error) {
      throw isNoSpace(error) ? new BlobStoreFull(error) : error;
    }
  }

  async names(folder: string): Promise<string[]> {
    const names = (await readdir(join(this.#folder, folder)).catch(unlessMissing)) ?? [];
    return names.filter((name) => !name.endsWith(draftSuffix)).sort();
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
