import type { LimitWindow, LimitWindowsTable } from '#server/domain/ports/limit-windows.ts';
import { record } from './columns.ts';
import { table, type Rows } from './rows.ts';

const windows = table(
  'limit_windows',
  record<LimitWindow>({ key: 'key', used: 'used', endsAt: 'ends_at', blockedUntil: 'blocked_until' }),
  'key',
);

/** Rate limits that survive a restart. */
export function limitWindowsTable(rows: Rows): LimitWindowsTable {
  return {
    async save(window) {
      await rows.put(windows, window);
    },
    async takeLive(now) {
      await rows.write('DELETE FROM limit_windows WHERE ends_at <= ?1 AND blocked_until <= ?1', now);
      return rows.all(windows);
    },
  };
}
