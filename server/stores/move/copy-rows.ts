import { applyChanges } from './apply-changes.ts';
import type { Move } from './move.ts';
import { recordText, type TableProgress } from './record.ts';
import { RowsConflict } from './refused.ts';
import { keyOf, type MovedTable } from './rows.ts';

/** Rows of one step. A row may hold 16 KiB. */
const rowsAtOnce = 1_000;

/** How often the progress is stored. A killed move repeats so much. */
const saveEveryMs = 500;

/** How often a batch is tried again, each time after the noted changes. */
const mostTries = 20;

/** Copies the rows of all tables, and the blobs that they name. Goes on where an earlier process was cut off. */
export async function copyTables(move: Move): Promise<void> {
  const totals = new Map<string, number>();
  for (const table of move.tables) totals.set(table.name, await move.source.count(table));
  const total = [...totals.values()].reduce((sum, count) => sum + count, 0);
  const save = saver(move);
  for (const table of move.tables) {
    while (!progressOf(move, table).isDone) {
      move.signal.throwIfAborted();
      await copyBatch(move, table);
      await save();
      const done = Object.values(move.record.tables).reduce((sum, { rows }) => sum + rows, 0);
      move.onStep({ doing: 'copying', table: table.name, done, total });
    }
  }
  await save(true);
}

function progressOf({ record }: Move, { name }: MovedTable): TableProgress {
  return record.tables[name] ?? { after: null, isDone: false, rows: 0 };
}

async function copyBatch(move: Move, table: MovedTable): Promise<void> {
  const { after, rows: before } = progressOf(move, table);
  for (let tries = 1; ; tries++) {
    const rows = await move.source.read(table, after, rowsAtOnce);
    // Bytes first: a row never names bytes that are not there.
    await move.blobs?.copy(table, rows);
    try {
      if (rows.length > 0) await move.target?.write([{ table, put: rows, remove: [] }]);
    } catch (error) {
      if (!(error instanceof RowsConflict) || tries === mostTries) throw error;
      await applyChanges(move);
      continue;
    }
    const last = rows.at(-1);
    const progress = {
      after: last ? keyOf(table, last) : after,
      isDone: rows.length < rowsAtOnce,
      rows: before + rows.length,
    };
    move.record = { ...move.record, tables: { ...move.record.tables, [table.name]: progress } };
    return;
  }
}

/** Returns a function that stores the record, at most once in a while unless it must. */
function saver(move: Move): (must?: boolean) => Promise<void> {
  let savedAt = performance.now();
  return async (must = false) => {
    if (!must && performance.now() - savedAt < saveEveryMs) return;
    await move.source.saveRecord(recordText(move.record));
    savedAt = performance.now();
  };
}
