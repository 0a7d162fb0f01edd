import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';

import type { BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import {
  masterKeyDocument,
  masterKeyName,
  masterKeysFolder,
  nameOfMasterKey,
} from '#server/domain/backup/generation.ts';
import { backupErrorMessage, damagedMessage, noteRun, type NotedRun } from '#server/domain/backup/note-run.ts';
import { openBackup } from '#server/domain/backup/open-backup.ts';
import { takeBackup, type BackupReport } from '#server/domain/backup/take-backup.ts';
import { BackupRefused, type BackupTarget, type OnBackupStep } from '#server/domain/backup/target.ts';
import { lockTarget } from '#server/domain/backup/target-lock.ts';
import { BlobStoreFull } from '#server/domain/ports/blobs.ts';
import { isRunning } from './is-running.ts';
import type { Stores } from './open.ts';
import { openedKeys } from './opened-keys.ts';
import { keyCheckOf } from './system/master-key.ts';
import { openTarget } from './open-target.ts';
import { scratchIndexIn } from './scratch.ts';
import { isDiskFull } from './sqlite/database-errors.ts';
import { systemClock } from './system/clock.ts';

export type { BackupReport } from '#server/domain/backup/take-backup.ts';

export interface BackupCommand {
  readonly config: Config;
  readonly stores: Stores;
  readonly place: BackupPlace;
  readonly keep: number;
  /** Whether an empty target is right although there was a backup before. */
  readonly isNew: boolean;
  readonly withMasterKey: boolean;
  /** Copies the database of another engine, while no bytes of files are removed. */
  readonly dump?: (() => Promise<void>) | undefined;
  /** Who starts it, for the audit log. Undefined if that is in it already. */
  readonly by?: AuditActor | undefined;
  /** The run that was begun already. Default: the session begins it. */
  readonly run?: NotedRun | undefined;
  readonly signal: AbortSignal;
  readonly onStep: OnBackupStep;
}

/** A target that is locked and compared, and takes generations until it is closed. */
export interface BackupSession {
  take(): Promise<BackupReport>;
  /** Whether the target holds the master key, from this call or an earlier one. */
  hasMasterKey(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a target for new generations. @throws {BackupRefused} */
export async function openBackupSession(command: BackupCommand): Promise<BackupSession> {
  const { config, stores, place } = command;
  if (place.folder !== undefined) await requireApart(place.folder, config.dataDir);
  await using opening = new AsyncDisposableStack();
  const opened = opening.adopt(await openTarget(place, true), (one) => one.close());
  const target = { ...opened, blobs: opening.adopt(stores.encryption.encrypt(opened.blobs), (one) => one.close()) };
  const owner = { id: randomUUID(), host: hostname(), pid: process.pid };
  const lock = opening.adopt(await lockTarget({ target, clock: systemClock, isRunning }, owner), (one) =>
    one.release(),
  );
  const { scratch, index } = await scratchIndexIn(opening, place.folder ?? config.dataDir, 'backup');
  const { metadata, blobs, ids, databaseCopies: copies } = stores;
  const deps = { metadata, blobs, ids, clock: systemClock, copies, target, index };
  const runs = new Runs(command, target.address);
  const backup = await runs.during((onStep) => openBackup(deps, { isNew: command.isNew, onStep }));
  const storeKey = async () => {
    if (command.withMasterKey) await storeMasterKey(target, config, stores);
  };
  await storeKey();
  const stack = opening.move();
  stack.defer(() => runs.cutOff());
  return {
    take: () =>
      runs.whole(async (onStep) => {
        const report = await takeBackup(deps, backup, { lock, scratchFolder: scratch, ...command, onStep }).catch(
          (error: unknown) => {
            throw isNoSpaceFor(error) ? noSpace(place, config) : error;
          },
        );
        // It may have been rotated meanwhile, or since the last generation of this session.
        await storeKey();
        return report;
      }),
    hasMasterKey: () => hasMasterKey(target),
    close: () => stack.disposeAsync(),
  };
}

/** Notes each generation as a run, from the opening of the target to the end. */
class Runs {
  readonly #command: BackupCommand;
  readonly #target: string;
  #run: NotedRun | undefined;
  #by: AuditActor | undefined;

  constructor(command: BackupCommand, target: string) {
    this.#command = command;
    this.#target = target;
    this.#run = command.run;
    this.#by = command.by;
  }

  /** Does a part of a run. If it fails, the run has failed. */
  async during<T>(work: (onStep: OnBackupStep) => Promise<T>): Promise<T> {
    const { stores, signal, onStep } = this.#command;
    const run = (this.#run ??= await noteRun(stores, { target: this.#target, by: this.#by }));
    this.#by = undefined;
    try {
      return await work((step) => {
        signal.throwIfAborted();
        run.onStep(step);
        onStep(step);
      });
    } catch (error) {
      await this.#end(signal.aborted ? 'It was stopped.' : backupErrorMessage(error)).catch(() => {});
      throw error;
    }
  }

  /** Does the last part of a run. */
  async whole(work: (onStep: OnBackupStep) => Promise<BackupReport>): Promise<BackupReport> {
    const report = await this.during(work);
    const { length } = report.damaged;
    await this.#end(length === 0 ? null : damagedMessage(length));
    return report;
  }

  /** Ends a run whose target was opened, and that was not taken. */
  cutOff(): Promise<void> {
    return this.#end('It was stopped.').catch(() => {});
  }

  async #end(error: string | null): Promise<void> {
    await this.#run?.end(error);
    this.#run = undefined;
  }
}

export async function hasMasterKey({ documents }: Pick<BackupTarget, 'documents'>): Promise<boolean> {
  return (await documents.read(masterKeyName)) !== undefined || (await documents.names(masterKeysFolder)).length > 0;
}

/** Stores the master key, beside those of earlier generations. */
async function storeMasterKey({ documents }: BackupTarget, config: Config, stores: Stores): Promise<void> {
  const [current] = (await openedKeys(config, stores)) ?? [];
  if (!current) throw new BackupRefused('The master key has changed meanwhile. Run the command again.');
  const bytes = Buffer.from(`${Buffer.from(current.bytes).toString('utf8')}\n`);
  await documents.write(masterKeyDocument(nameOfMasterKey(keyCheckOf(current.bytes))), bytes);
  await documents.write(masterKeyName, bytes);
}

/** A backup inside of what it copies is lost together with it. */
async function requireApart(folder: string, dataDir: string): Promise<void> {
  const [target, data] = [await realFolder(folder), await realFolder(dataDir)];
  if (target.startsWith(data) || data.startsWith(target))
    throw new BackupRefused(
      `The target ${folder} and the data folder ${dataDir} contain one another. Name a folder elsewhere, best on ` +
        'another disk.',
    );
}

/** Returns the path without links, with a separator at its end. The last folder need not exist. */
async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(async () => {
    const parent = await realpath(dirname(path)).catch(() => dirname(path));
    return join(parent, basename(path));
  });
  return real.endsWith(sep) ? real : real + sep;
}

/** Whether the target or the scratch folder is full. */
function isNoSpaceFor(error: unknown): boolean {
  return error instanceof BlobStoreFull || isDiskFull(error);
}

function noSpace(place: BackupPlace, { dataDir }: Config): BackupRefused {
  const where = place.folder ?? `the bucket, or ${dataDir}, where a copy of the database lies meanwhile,`;
  return new BackupRefused(
    `There is no room in ${where}. Earlier generations are whole. Make room, or keep fewer of them (--keep), then ` +
      'run it again.',
  );
}
