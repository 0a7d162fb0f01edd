import { inTransaction } from '../postgres/in-transaction.ts';
import { native } from '../postgres/placeholders.ts';
import type { PostgresPool } from '../postgres/pool.ts';
import type { Session } from '../postgres/session.ts';
import type { MovedRow } from './rows.ts';
import { StoredRows } from './stored-rows.ts';

/** The rows of a PostgreSQL database that are moved. */
export class PostgresMovableRows extends StoredRows {
  protected readonly lengths = [256, 32, 4, 1];
  protected readonly columnsOfTables = `
    SELECT relation.relname, attribute.attname, attribute.atttypid = 'bytea'::regtype,
      array_position(key.indkey::int2[], attribute.attnum), attribute.attidentity <> ''
    FROM pg_class AS relation
      JOIN pg_attribute AS attribute
        ON attribute.attrelid = relation.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
      LEFT JOIN pg_index AS key ON key.indrelid = relation.oid AND key.indisprimary
    WHERE relation.relkind = 'r' AND relation.relnamespace = current_schema()::regnamespace
    ORDER BY relation.relname, attribute.attnum`;
  protected readonly pool: PostgresPool;

  /** @param pool with a deadline of minutes. It is closed with this object */
  constructor(pool: PostgresPool, address: string) {
    super(address);
    this.pool = pool;
  }

  async sequences(): Promise<ReadonlyMap<string, number>> {
    const next = new Map<string, number>();
    for (const [table, column] of (await this.columns()).filter(([, , , , counts]) => counts === 1)) {
      const [row] = await this.all('SELECT pg_get_serial_sequence(quote_ident(?), ?)', [table, column]);
      const [state] = await this.all(
        `SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM ${String(row![0])}`,
      );
      next.set(`${table}.${column}`, state![0] as number);
    }
    return next;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  protected async all(sql: string, values: MovedRow = []): Promise<MovedRow[]> {
    const statement = native(sql, values);
    const { rows } = await this.pool.query(statement.text, statement.values, { isRepeatable: true });
    return rows as MovedRow[];
  }

  /** Runs `work` in a transaction, which is undone when `work` throws. */
  protected inTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return inTransaction(this.pool, work);
  }
}
