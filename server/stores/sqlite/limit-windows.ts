import type { LimitWindow, LimitWindowsTable } from '#server/domain/ports/limit-windows.ts';
import { record } from './columns.ts';
import { table, type Rows } from './rows.ts';

const windows = table(
  'limit_windows',
  record<LimitWindow>({ key: 'key', used: 'used', endsAt: 'ends_at', blockedUntil: 'blocked_until' }),
);

/** Rate limits that survive a restart. */
export function sqliteLimitWindows(rows: Rows): LimitWindowsTable {
  return {
    async save(window) {
      rows.put(windows, window);
    },
    async takeLive(now) {
      rows.run('DELETE FROM limit_windows WHERE max(ends_at, blocked_until) <= ?', now);
      return rows.all(windows);
    },
  };
}
