import type { UnopenedRows } from '#server/stores/tables/rows.ts';
import { inTransaction } from './in-transaction.ts';
import type { PostgresPool } from './pool.ts';
import { PostgresRows } from './rows.ts';
import type { Session } from './session.ts';

export function unopenedRows(pool: PostgresPool): UnopenedRows {
  const rows = rowsOver(pool);
  return {
    rows,
    hasTable: async (name) => (await rows.value('SELECT to_regclass(?) IS NOT NULL', name)) === 1,
    atomically: (work) => inTransaction(pool, (session) => work(rowsOver(session))),
  };
}

function rowsOver(connection: PostgresPool | Session): PostgresRows {
  return new PostgresRows({
    send: (sql, values) => connection.query(sql, values),
    post: async (sql, values) => void (await connection.query(sql, values)),
  });
}
