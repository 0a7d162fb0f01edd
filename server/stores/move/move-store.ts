import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { BlobMove } from './copy-blobs.ts';
import { copyTables } from './copy-rows.ts';
import type { Move, MoveStep } from './move.ts';
import { destinationText, newRecord, parseRecord, recordText, type Destination, type MoveRecord } from './record.ts';
import { StoreMoveRefused } from './refused.ts';
import type { SourceRows, TargetRows } from './rows.ts';
import { filledAnyway, neverRefused, sharedTables, tablesOfBlobs } from './shared-tables.ts';
import { switchOver } from './switch-over.ts';
import { compareTables, Suspects } from './verify.ts';

/** The two sides of a move. */
interface MoveOptions {
  readonly source: SourceRows;
  /** Left out if the rows stay. */
  readonly target?: TargetRows | undefined;
  /** Left out if the blobs stay. */
  readonly blobs?: { readonly source: BlobStore; readonly target: BlobStore } | undefined;
  readonly to: Destination;
  /** Whether files whose bytes are damaged in the source are moved as they are. */
  readonly keepsDamaged?: boolean;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onStep?: (step: MoveStep) => void;
}

/** What a move did. */
export interface MoveReport {
  readonly to: Destination;
  /** The rows of each table that were copied. Changes come on top. */
  readonly tables: Readonly<Record<string, number>>;
  /** Rows whose hash was compared on both sides. */
  readonly verifiedRows: number;
  /** Rows that differed and were copied again. None, unless an earlier call was killed in the middle of the switch. */
  readonly repairedRows: number;
  readonly changes: number;
  readonly blobs: { readonly count: number; readonly bytes: number };
  /** Ids of blobs that the source lacks, or has with other bytes than its rows say. */
  readonly damaged: readonly string[];
  readonly refusedMs: number;
  /** Whether an earlier call had finished it. */
  readonly wasDone: boolean;
}

/**
 * Moves rows, blobs or both to another store, while servers use the source: copies, catches up, compares, and
 * switches. If it is cut off, another call goes on.
 *
 * @throws {StoreMoveRefused} the source is still the store
 */
export async function moveStore(options: MoveOptions): Promise<MoveReport> {
  const { source, target, to } = options;
  const known = await source.findRecord();
  const earlier = known === undefined ? undefined : parseRecord(known);
  if (earlier) requireSame(earlier, to);
  if (earlier?.phase === 'moved') return reportOf(earlier, { wasDone: true });
  const record = earlier ?? newRecord(to, options.now());
  const shapes = await source.shapes();
  const tables = target ? sharedTables(shapes, await target.shapes()) : tablesOfBlobs(shapes);
  if (!earlier && target)
    await requireEmpty(
      target,
      tables.map(({ name }) => name),
    );
  const names = shapes.map(({ name }) => name).filter((name) => !neverRefused.includes(name));
  await source.beginNoting(tables, names, recordText(record));
  await target?.prepare();
  const move: Move = {
    source,
    target,
    blobs: options.blobs && blobMove(options, (bytes) => (move.record = withBlob(move.record, bytes))),
    tables,
    record,
    changes: 0,
    signal: options.signal,
    onStep: options.onStep ?? (() => {}),
  };
  return finish(move, options, earlier !== undefined);
}

async function finish(move: Move, { keepsDamaged = false, now }: MoveOptions, isResumed: boolean): Promise<MoveReport> {
  await copyTables(move);
  const compared = move.target
    ? await compareTables(move, isResumed)
    : { rows: 0, repaired: 0, suspects: new Suspects() };
  await move.blobs?.recheck(move.source);
  const damaged = [...(move.blobs?.damaged.keys() ?? [])];
  if (damaged.length > 0 && !keepsDamaged)
    throw new StoreMoveRefused(
      `The source lacks the bytes of ${damaged.length} blobs, or has others than its rows say: ` +
        `${damaged.slice(0, 3).join(', ')}. ` +
        'Restore them from a backup, or move the store as it is with --keep-damaged.',
    );
  const record = await switchOver(move, compared.suspects, now);
  await move.target?.validate();
  return reportOf(record, {
    verifiedRows: compared.rows,
    repairedRows: compared.repaired,
    changes: move.changes,
    damaged,
  });
}

function blobMove({ blobs, signal }: MoveOptions, onCopied: (bytes: number) => void): BlobMove {
  return new BlobMove(blobs!.source, blobs!.target, signal, onCopied);
}

function withBlob(record: MoveRecord, bytes: number): MoveRecord {
  return { ...record, blobs: { count: record.blobs.count + 1, bytes: record.blobs.bytes + bytes } };
}

function reportOf(
  { to, tables, blobs, switched }: MoveRecord,
  more: Partial<Pick<MoveReport, 'verifiedRows' | 'repairedRows' | 'changes' | 'damaged' | 'wasDone'>>,
): MoveReport {
  const rows = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.rows]));
  const report = { to, tables: rows, blobs, refusedMs: switched!.refusedMs };
  return { verifiedRows: 0, repairedRows: 0, changes: 0, damaged: [], wasDone: false, ...more, ...report };
}

function requireSame({ to }: MoveRecord, wanted: Destination): void {
  if (to.rows === wanted.rows && to.blobs === wanted.blobs) return;
  throw new StoreMoveRefused(
    `Another move has begun here, of ${destinationText(to)}. Go on with that one, or end it with "cubby store ` +
      'migrate --cancel".',
  );
}

/** A target with rows may be somebody's store. */
async function requireEmpty(target: TargetRows, tables: readonly string[]): Promise<void> {
  for (const name of tables.filter((table) => !filledAnyway.includes(table))) {
    const rows = await target.count({ name });
    if (rows > 0)
      throw new StoreMoveRefused(
        `The target ${target.address} is not empty: its table ${name} has ${rows} ${rows === 1 ? 'row' : 'rows'}. ` +
          'Name an empty database, or move that one away.',
      );
  }
}
