import type { ClockJump, ClockJumpTable } from '#server/domain/jobs/table.ts';
import { record } from './columns.ts';
import { table, type Rows } from './rows.ts';

const jumps = table('clock_jump', record<ClockJump>({ noticedAt: 'noticed_at', byMs: 'by_ms' }));

/** The clock jump that an operator has not confirmed yet. */
export function sqliteClockJump(rows: Rows): ClockJumpTable {
  return {
    find: async () => rows.one(jumps),
    async save({ noticedAt, byMs }) {
      rows.run('INSERT OR REPLACE INTO clock_jump (one, noticed_at, by_ms) VALUES (1, ?, ?)', noticedAt, byMs);
    },
    clear: async () => rows.run('DELETE FROM clock_jump') > 0,
  };
}
