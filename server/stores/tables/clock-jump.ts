import type { ClockJump, ClockJumpTable } from '#server/domain/jobs/table.ts';
import { record } from './columns.ts';
import { table, type Rows } from './rows.ts';

const jumps = table('clock_jump', record<ClockJump>({ noticedAt: 'noticed_at', byMs: 'by_ms' }));

/** The clock jump that an operator has not confirmed yet. */
export function clockJumpTable(rows: Rows): ClockJumpTable {
  return {
    find: async () => rows.one(jumps),
    async save({ noticedAt, byMs }) {
      const save = `INSERT INTO clock_jump (one, noticed_at, by_ms) VALUES (1, ?, ?)
        ON CONFLICT (one) DO UPDATE SET noticed_at = excluded.noticed_at, by_ms = excluded.by_ms`;
      await rows.write(save, noticedAt, byMs);
    },
    clear: async () => (await rows.run('DELETE FROM clock_jump')) > 0,
  };
}
