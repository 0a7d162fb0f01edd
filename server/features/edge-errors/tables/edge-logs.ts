import type { LogCheckpoint, NewLogCheckpoint } from '../log-checkpoint.ts';
import type { EdgeLogsTable } from '../table.ts';
import { type Fields, record, snakeCase } from '#server/stores/tables/columns.ts';
import { rowOf, table, type Rows } from '#server/stores/tables/rows.ts';

const newFields: Fields<NewLogCheckpoint> = {
  ...snakeCase('appId', 'path', 'inode'),
  // A keyword of PostgreSQL.
  offset: '"offset"',
  ...snakeCase('lines', 'headSha256', 'tailSha256', 'movedAt'),
};

const logs = table('edge_logs', record<LogCheckpoint>({ id: 'log_id', ...newFields }));
const newLogs = table('edge_logs', record<NewLogCheckpoint>(newFields));

/** Checkpoints up to which access logs have been read. */
export function edgeLogsTable(rows: Rows): EdgeLogsTable {
  return {
    listOf: async (appId) => rows.all(logs, 'WHERE app_id = ? ORDER BY log_id', appId),
    async add(checkpoint) {
      return (await rows.change(logs, newLogs.insert, ...rowOf(newLogs, checkpoint)))!;
    },
    async advance({ id, offset, tailSha256 }, to) {
      const which = 'log_id = ? AND "offset" = ? AND tail_sha256 = ?';
      return (await rows.update(newLogs, to, which, id, offset, tailSha256)) === 1;
    },
    forgetBefore: async (at, limit) =>
      rows.removeSome('edge_logs', 'log_id', 'moved_at < ? ORDER BY moved_at', at, limit),
  };
}
