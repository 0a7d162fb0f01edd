import type { Move } from './move.ts';
import { RowsConflict, StoreMoveRefused } from './refused.ts';
import {
  keyOf,
  textOf,
  type MovedRow,
  type MovedTable,
  type NotedChange,
  type RowChanges,
  type TableShape,
} from './rows.ts';

const changesAtOnce = 1_000;

/**
 * Brings all noted changes to the target, as the rows are now. Returns how many. While servers write, more may follow
 * at once.
 */
export async function applyChanges(move: Move): Promise<number> {
  let applied = 0;
  for (let limit = changesAtOnce; ;) {
    move.signal.throwIfAborted();
    const changes = await move.source.changes(limit);
    if (changes.length === 0) return applied;
    try {
      await applyBatch(move, changes);
    } catch (error) {
      // The row in the way has changed too, further behind in the log.
      if (!(error instanceof RowsConflict) || changes.length < limit) throw error;
      limit *= 2;
      continue;
    }
    await move.source.forget(changes.map(({ id }) => id));
    applied += changes.length;
    move.changes += changes.length;
    // A server that writes faster than this must not keep the move here for ever.
    if (changes.length < limit) return applied;
  }
}

async function applyBatch(move: Move, changes: readonly NotedChange[]): Promise<void> {
  const batches: RowChanges[] = [];
  for (const table of move.tables) {
    const keys = distinct(changes.filter((change) => change.table === table.name));
    if (keys.length > 0) batches.push(await currentRows(move, table, keys));
  }
  for (const { table, put, remove } of batches) {
    await move.blobs?.copy(table, put);
    // The source has removed the bytes, and then this row.
    if (table.name === 'marked_blobs') for (const [blobId] of remove) await move.blobs?.remove(blobId as string);
  }
  if (!move.target) return;
  await move.target.write(batches);
  for (const { table, put, remove } of batches) {
    const found = await move.target.find(table, [...put.map((row) => keyOf(table, row)), ...remove]);
    const differing = differingKeys(table, put, found);
    if (differing.length > 0)
      throw new StoreMoveRefused(`The target returned another row of ${table.name} than was written to it.`);
  }
}

async function currentRows(move: Move, table: TableShape, keys: readonly MovedRow[]): Promise<RowChanges> {
  const put = await move.source.find(table, keys);
  const found = new Set(put.map((row) => textOf(keyOf(table, row))));
  return { table, put, remove: keys.filter((key) => !found.has(textOf(key))) };
}

function distinct(changes: readonly NotedChange[]): MovedRow[] {
  return [...new Map(changes.map(({ key }) => [textOf(key), key])).values()];
}

/** Returns the keys of rows that only one side has, or that differ. */
export function differingKeys(table: MovedTable, ours: readonly MovedRow[], theirs: readonly MovedRow[]): MovedRow[] {
  const known = new Map(theirs.map((row) => [textOf(keyOf(table, row)), row]));
  const differing: MovedRow[] = [];
  for (const row of ours) {
    const key = keyOf(table, row);
    const name = textOf(key);
    const other = known.get(name);
    known.delete(name);
    if (!other || textOf(other) !== textOf(row)) differing.push(key);
  }
  return [...differing, ...[...known.values()].map((row) => keyOf(table, row))];
}
