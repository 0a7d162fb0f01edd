import type { PostgresPool } from '../postgres/pool.ts';
import type { Session } from '../postgres/session.ts';
import type { MovableRows, MovedRow, MovedTable, TableShape } from './rows.ts';
import { conditions, listOf, quoted, select } from './sqlite-rows.ts';

/** Tables of the migrations and of the move itself. */
const isOwn = (name: string) => !/^(store_move|schema_migrations$)/.test(name);

const columnsOfTables = `
  SELECT relation.relname, attribute.attname, format_type(attribute.atttypid, NULL),
    array_position(key.indkey::int2[], attribute.attnum), attribute.attidentity <> ''
  FROM pg_class AS relation
    JOIN pg_attribute AS attribute
      ON attribute.attrelid = relation.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
    LEFT JOIN pg_index AS key ON key.indrelid = relation.oid AND key.indisprimary
  WHERE relation.relkind = 'r' AND relation.relnamespace = current_schema()::regnamespace
  ORDER BY relation.relname, attribute.attnum`;

/** Numbers of rows in a statement. Each number is a text of its own that stays prepared. */
const rowsInStatement = [256, 32, 4, 1] as const;

/** The rows of a PostgreSQL database that are moved. */
export class PostgresMovableRows implements MovableRows {
  readonly address: string;
  protected readonly pool: PostgresPool;

  /** @param pool with a deadline of minutes. It is closed with this object */
  constructor(pool: PostgresPool, address: string) {
    this.pool = pool;
    this.address = address;
  }

  async shapes(): Promise<TableShape[]> {
    const columns = (await this.all(columnsOfTables)).filter(([table]) => isOwn(table as string));
    const tables = Map.groupBy(columns, ([table]) => table as string);
    return [...tables].map(([name, own]) => {
      const inKey = own.filter(([, , , place]) => place !== null).sort((a, b) => Number(a[3]) - Number(b[3]));
      return {
        name,
        columns: own.map(([, column]) => column as string),
        key: inKey.map(([, column]) => column as string),
        binary: own.filter(([, , type]) => type === 'bytea').map(([, column]) => column as string),
      };
    });
  }

  async count({ name, where = 'TRUE' }: Pick<MovedTable, 'name' | 'where'>): Promise<number> {
    return (await this.all(`SELECT count(*) FROM ${quoted(name)} WHERE ${where}`))[0]![0] as number;
  }

  read(table: MovedTable, after: MovedRow | null, limit: number): Promise<MovedRow[]> {
    const where = conditions(table, after !== null && bound(table, '>', 0));
    const values = [...(after ?? []), limit];
    return this.all(`${select(table)} ${where} ORDER BY ${listOf(table.key)} LIMIT $${values.length}`, values);
  }

  readRange(table: MovedTable, after: MovedRow | null, last: MovedRow | null): Promise<MovedRow[]> {
    const upper = last !== null && bound(table, '<=', after?.length ?? 0);
    const where = conditions(table, after !== null && bound(table, '>', 0), upper);
    return this.all(`${select(table)} ${where} ORDER BY ${listOf(table.key)}`, [...(after ?? []), ...(last ?? [])]);
  }

  async find(table: MovedTable, keys: readonly MovedRow[]): Promise<MovedRow[]> {
    const found: MovedRow[] = [];
    for (const some of inParts(keys)) {
      const where = conditions(table, `(${listOf(table.key)}) IN (${places(some.length, table.key.length)})`);
      found.push(...(await this.all(`${select(table)} ${where}`, some.flat())));
    }
    return found;
  }

  async sequences(): Promise<ReadonlyMap<string, number>> {
    const columns = (await this.all(columnsOfTables)).filter(
      ([table, , , , counts]) => isOwn(table as string) && counts === 1,
    );
    const next = new Map<string, number>();
    for (const [table, column] of columns) {
      const [row] = await this.all('SELECT pg_get_serial_sequence(quote_ident($1), $2)', [table!, column!]);
      const [state] = await this.all(
        `SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM ${String(row![0])}`,
      );
      next.set(`${String(table)}.${String(column)}`, state![0] as number);
    }
    return next;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  protected async all(sql: string, values: MovedRow = []): Promise<MovedRow[]> {
    const { rows } = await this.pool.query(sql, values, { isRepeatable: true });
    return rows as MovedRow[];
  }

  /** Runs `work` in a transaction, which is undone when `work` throws. */
  protected async inTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.pool.take();
    try {
      await session.command('BEGIN');
      const result = await work(session);
      const { command } = await session.command('COMMIT');
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
      this.pool.release(session);
      return result;
    } catch (error) {
      session.destroy();
      throw error;
    }
  }
}

/** Splits rows into parts of a few lengths. */
export function* inParts<T>(rows: readonly T[]): Generator<readonly T[]> {
  let at = 0;
  for (const length of rowsInStatement)
    for (; rows.length - at >= length; at += length) yield rows.slice(at, at + length);
}

/** Returns `($1, $2), ($3, $4)` for two rows of two values. */
export function places(rows: number, columns: number): string {
  return Array.from({ length: rows }, (_row, row) => {
    const values = Array.from({ length: columns }, (_column, column) => `$${row * columns + column + 1}`);
    return `(${values.join(', ')})`;
  }).join(', ');
}

function bound({ key }: MovedTable, operator: '>' | '<=', before: number): string {
  return `(${listOf(key)}) ${operator} (${key.map((_name, at) => `$${before + at + 1}`).join(', ')})`;
}
