import { copyFile, constants } from 'node:fs/promises';
import { join } from 'node:path';

import type { Config } from '#server/config/config.ts';
import type { DatabaseUrl } from '#server/config/database-url.ts';
import type { AuditAction, AuditActor } from '#server/domain/audit/audit-entry.ts';
import { recordAudit } from '#server/domain/audit/record-audit.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Log } from '#server/log.ts';
import { areFilesUnused, markUnused, markUsed } from './move/moved.ts';
import { moveStore, type MoveReport } from './move/move-store.ts';
import type { MoveStep } from './move/move.ts';
import { placesOf } from './move/places.ts';
import { destinationText, parseRecord, type Destination } from './move/record.ts';
import { StoreMoveRefused } from './move/refused.ts';
import type { SourceRows, TargetRows } from './move/rows.ts';
import { SqliteSource } from './move/sqlite-source.ts';
import { SqliteTarget } from './move/sqlite-target.ts';
import { openStores } from './open.ts';
import { openBlobs } from './open-blobs.ts';
import { databaseOf, hasDatabase, openFolder, readyFolder } from './ready-folder.ts';
import { openWriter } from './sqlite/connection.ts';
import type { PostgresPool } from './postgres/pool.ts';
import { systemClock } from './system/clock.ts';

export type { MoveReport } from './move/move-store.ts';
export type { MoveStep } from './move/move.ts';

const longestStatementMs = 60 * 60_000;

/** A move between the stores of two configurations. */
interface MoveCommand {
  readonly from: Config;
  readonly to: Config;
  readonly keepsDamaged?: boolean;
  /** Who begins it, for the audit log. */
  readonly by: AuditActor;
  readonly signal: AbortSignal;
  readonly onStep?: (step: MoveStep) => void;
  /** `false` leaves out every fsync. Only a test of durability needs that. */
  readonly sync?: boolean;
}

/**
 * Moves the rows, the blobs or both from the store of one configuration to that of another, while servers use the
 * first.
 *
 * @throws {StoreMoveRefused} the first one is still the store
 */
export async function migrateStore(command: MoveCommand, log: Log): Promise<MoveReport> {
  const { from, to } = command;
  const [here, there] = [placesOf(from), placesOf(to)];
  const destination: Destination = {
    rows: here.rows === there.rows ? null : there.rows,
    blobs: here.blobs === there.blobs ? null : there.blobs,
  };
  if (destination.rows === null && destination.blobs === null)
    throw new StoreMoveRefused(
      `The rows are in ${here.rows} already, and the blobs are ${here.blobs}. Nothing is to move.`,
    );
  await using opened = new AsyncDisposableStack();
  const source = opened.adopt(await openSource(from, log, command.sync), (rows) => rows.close());
  const target =
    destination.rows === null ? undefined : opened.adopt(await openTarget(command, log), (rows) => rows.close());
  const isNew = (await source.findRecord()) === undefined;
  const blobs = destination.blobs === null ? undefined : await openBothBlobs(command, log, opened, isNew);
  // Before it begins, so that the entry moves too. When the store has moved, a server starts with other settings.
  if (isNew) await noteMove(command, log, 'store.move_started', destination);
  const { keepsDamaged = false, signal, onStep } = command;
  const options = { source, target, blobs, to: destination, keepsDamaged, signal, now: () => systemClock.now() };
  const report = await moveStore({ ...options, ...(onStep && { onStep }) });
  if (blobs) await markFolders(command, destination);
  return report;
}

/**
 * Ends a move that has not switched. The source goes on as it was. The target keeps what was copied.
 *
 * @returns where it would have moved to; undefined if there is no move
 */
export async function cancelMove(
  from: Config,
  log: Log,
  { by, sync = true }: Pick<MoveCommand, 'by' | 'sync'>,
): Promise<Destination | undefined> {
  const source = await openSource(from, log, sync);
  try {
    const record = await source.findRecord();
    if (record === undefined) return undefined;
    const { phase, to } = parseRecord(record);
    if (phase === 'moved')
      throw new StoreMoveRefused(
        `The store has moved: ${destinationText(to)}. To move it back, name that place with --from.`,
      );
    await source.endNoting();
    await noteMove({ from, by, sync }, log, 'store.move_cancelled', to);
    return to;
  } finally {
    await source.close();
  }
}

/** Adds an entry about a move to the audit log of its source. */
async function noteMove(
  { from, by, sync = true }: Pick<MoveCommand, 'from' | 'by' | 'sync'>,
  log: Log,
  action: AuditAction,
  { rows, blobs }: Destination,
): Promise<void> {
  const stores = await openStores(from, log, { sync });
  try {
    const details = { ...(rows !== null && { rows }), ...(blobs !== null && { larger_files: blobs }) };
    await stores.metadata.atomically((tx) => recordAudit(tx, { action, by, accountId: null, subject: null, details }));
  } finally {
    await stores.close();
  }
}

async function openSource(from: Config, log: Log, sync = true): Promise<SourceRows> {
  const { rows } = placesOf(from);
  const { databaseUrl } = from;
  if (databaseUrl) {
    const engine = (await import('./postgres-engine.ts')).postgresEngine(from, databaseUrl);
    if (!(await engine.isUsed())) throw new StoreMoveRefused(`The database ${rows} has no tables of Cubby.`);
    await engine.ready(log, { isMoved: true });
    const { PostgresSource } = await import('./move/postgres-source.ts');
    return new PostgresSource(await poolOf(databaseUrl), rows);
  }
  if (!hasDatabase(from))
    throw new StoreMoveRefused(`There is no Cubby database in ${from.dataDir}. Name the server's data folder.`);
  await readyFolder(from, log, { sync, isMoved: true });
  return new SqliteSource(openWriter(databaseOf(from), sync), rows);
}

async function openTarget({ from, to, sync = true }: MoveCommand, log: Log): Promise<TargetRows> {
  if (from.dataDir !== to.dataDir && to.masterKey === undefined) await copyMasterKey(from, to, log);
  const { rows } = placesOf(to);
  const { databaseUrl } = to;
  if (databaseUrl) {
    await (await import('./postgres-engine.ts')).postgresEngine(to, databaseUrl).ready(log, { isMoved: true });
    const { PostgresTarget } = await import('./move/postgres-target.ts');
    return new PostgresTarget(await poolOf(databaseUrl), rows);
  }
  await readyFolder(to, log, { sync, isMoved: true });
  return new SqliteTarget(openWriter(databaseOf(to), sync), rows);
}

/** A move reads and counts whole tables. */
async function poolOf(url: DatabaseUrl): Promise<PostgresPool> {
  const { PostgresPool } = await import('./postgres/pool.ts');
  return new PostgresPool(url, { deadlineMs: longestStatementMs, idleInTransactionMs: longestStatementMs });
}

/** The rows are encrypted and signed with the master key, so it goes along. */
async function copyMasterKey(from: Config, to: Config, log: Log): Promise<void> {
  await openFolder(to, log);
  const [source, target] = [join(from.dataDir, 'master.key'), join(to.dataDir, 'master.key')];
  await copyFile(source, target, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function openBothBlobs(
  { from, to, sync = true }: MoveCommand,
  log: Log,
  opened: AsyncDisposableStack,
  isNew: boolean,
): Promise<{ readonly source: BlobStore; readonly target: BlobStore }> {
  const disk = await openFolder(to, log);
  const source = opened.adopt(
    await openBlobs(from, log, { disk: await openFolder(from, log), sync, isMoved: true }),
    (one) => one.close(),
  );
  const target = opened.adopt(await openBlobs(to, log, { disk, sync, isMoved: true }), (one) => one.close());
  if (isNew) await requireNoBlobs(target.blobs, placesOf(to).blobs);
  if (!to.bucket) {
    await markUnused(to.dataDir, 'A move to this folder is not finished: see "cubby store migrate".');
    // A killed move may have left some. Nothing else writes here.
    await target.upkeep.sweepTemporaries?.();
  }
  return { source: source.blobs, target: target.blobs };
}

/** Blobs that nobody names would stay there for ever. */
async function requireNoBlobs(blobs: BlobStore, place: string): Promise<void> {
  for await (const _id of blobs.ids())
    throw new StoreMoveRefused(
      `The target is not empty: there are blobs already (${place}). Remove them, or move them away.`,
    );
}

/** Marks both folders. Files that have moved stay where they are, and the mark keeps servers from using them. */
async function markFolders({ from, to }: MoveCommand, destination: Destination): Promise<void> {
  if (!from.bucket && !areFilesUnused(from.dataDir))
    await markUnused(from.dataDir, `The files here have moved: ${destinationText(destination)}. They can be removed.`);
  if (!to.bucket) await markUsed(to.dataDir);
}
