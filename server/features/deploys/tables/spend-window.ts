import type { Rows } from '#server/stores/tables/rows.ts';

/** The columns of an application's counter: when its window began, and how much it has had. */
interface CountedWindow {
  readonly table: string;
  readonly since: string;
  readonly count: string;
}

interface Spend extends Readonly<Record<string, string | number>> {
  readonly appId: string;
  readonly at: number;
  readonly windowMs: number;
  readonly most: number;
}

/**
 * Counts one more in the window that is open at `at`, or opens another one. Returns false if the window is full, or the
 * row is gone.
 */
export async function spendIn(rows: Rows, { table, since, count }: CountedWindow, spend: Spend): Promise<boolean> {
  // abs(), so that a clock that was put back does not block until it has caught up.
  const isOver = `(${since} IS NULL OR abs(:at - ${since}) >= :windowMs)`;
  const sql = `UPDATE ${table} SET ${count} = CASE WHEN ${isOver} THEN 1 ELSE ${count} + 1 END,
      ${since} = CASE WHEN ${isOver} THEN :at ELSE ${since} END
    WHERE app_id = :appId AND (${isOver} OR ${count} < :most)`;
  return (await rows.run(sql, spend)) === 1;
}
