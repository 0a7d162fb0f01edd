import type { Awaitable, Rows } from './rows.ts';

/**
 * Removes up to `limit` rows of an account's log that are older than `at`, oldest first. Returns how many. The index is
 * by minutes, because PostgreSQL keeps equal entries of an index in a tenth of the bytes.
 */
export function forgetBefore(rows: Rows, name: string, at: number, limit: number): Awaitable<number> {
  const which = 'at / 60000 <= ? AND at < ? ORDER BY at / 60000, at';
  return rows.removeSome(name, 'account_id, sequence', which, Math.floor(at / 60_000), at, limit);
}
