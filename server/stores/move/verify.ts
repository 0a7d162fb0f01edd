import { createHash } from 'node:crypto';

import { applyChanges, differingKeys } from './apply-changes.ts';
import type { Move } from './move.ts';
import { keyOf, textOf, type MovedRow, type MovedTable } from './rows.ts';

/** Rows whose hashes are compared at once. */
const rowsAtOnce = 2_000;

/** Rows that differed when they were compared. Servers were writing, so most have only changed meanwhile. */
export class Suspects {
  readonly #keys = new Map<MovedTable, Map<string, MovedRow>>();

  get count(): number {
    return [...this.#keys.values()].reduce((sum, keys) => sum + keys.size, 0);
  }

  add(table: MovedTable, keys: readonly MovedRow[]): void {
    const known = this.#keys.get(table) ?? new Map<string, MovedRow>();
    for (const key of keys) known.set(textOf(key), key);
    this.#keys.set(table, known);
  }

  /** Compares them again, after the noted changes were applied. Those that are equal now are forgotten. */
  async recheck({ source, target }: Move): Promise<void> {
    for (const [table, keys] of [...this.#keys]) {
      const all = [...keys.values()];
      this.#keys.delete(table);
      const [ours, theirs] = [await source.find(table, all), await target!.find(table, all)];
      const differing = differingKeys(table, ours, theirs);
      if (differing.length > 0) this.add(table, differing);
    }
  }

  /**
   * Copies them again, and forgets those that are equal then. Returns how many differed. A move that was killed in the
   * middle of a switch leaves such rows: see `settle()`.
   */
  async repair(move: Move): Promise<number> {
    await this.recheck(move);
    const differed = this.count;
    for (const [table, keys] of this.#keys) {
      const put = await move.source.find(table, [...keys.values()]);
      const found = new Set(put.map((row) => textOf(keyOf(table, row))));
      const remove = [...keys].flatMap(([name, key]) => (found.has(name) ? [] : [key]));
      await move.target!.write([{ table, put, remove }]);
    }
    await this.recheck(move);
    return differed;
  }

  /** Returns some of them for people. */
  sampleText(): string {
    const all = [...this.#keys].flatMap(([{ name }, keys]) => [...keys.keys()].map((key) => `${name} ${key}`));
    return all.slice(0, 3).join(', ') + (all.length > 3 ? ` and ${all.length - 3} more` : '');
  }
}

/**
 * Compares all rows of both databases, by the hash and the count of each range of keys. Servers may write meanwhile.
 *
 * @param isResumed whether an earlier process was cut off. Then rows that differ are copied again
 * @returns the number of rows that were equal, how many had to be copied again, and those that differ since
 */
export async function compareTables(
  move: Move,
  isResumed: boolean,
): Promise<{ readonly rows: number; readonly repaired: number; readonly suspects: Suspects }> {
  await applyChanges(move);
  const suspects = new Suspects();
  let rows = 0;
  const total = Object.values(move.record.tables).reduce((sum, table) => sum + table.rows, 0);
  for (const table of move.tables) {
    for (let after: MovedRow | null = null, isLast = false; !isLast;) {
      move.signal.throwIfAborted();
      const ours: MovedRow[] = await move.source.read(table, after, rowsAtOnce);
      isLast = ours.length < rowsAtOnce;
      const last: MovedRow | null = isLast ? null : keyOf(table, ours.at(-1)!);
      const theirs = await move.target!.readRange(table, after, last);
      const differing = hashOf(ours) === hashOf(theirs) ? [] : differingKeys(table, ours, theirs);
      if (differing.length > 0) suspects.add(table, differing);
      rows += Math.max(0, ours.length - differing.length);
      after = last;
      move.onStep({ doing: 'verifying', table: table.name, done: rows, total });
    }
  }
  await applyChanges(move);
  const repaired = isResumed ? await suspects.repair(move) : 0;
  await suspects.recheck(move);
  return { rows, repaired, suspects };
}

/** The count is part of it, since each row ends in a line break. */
function hashOf(rows: readonly MovedRow[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${textOf(row)}\n`);
  return hash.digest('hex');
}
