import type { MovableRows, MovedRow, MovedTable, TableShape } from './rows.ts';
import { comparison, conditions, inParts, isAmong, listOf, quoted, select } from './statements.ts';

/** Tables of SQLite, of the migrations and of the move itself. */
const notMoved = /^(sqlite_|store_move|schema_migrations$)/;

/** A column: its table, its name, whether it has bytes (1), its place in the primary key or null, and more. */
type Column = readonly [table: string, name: string, isBinary: number, place: number | null, ...more: MovedRow];

/** The rows of a database that are moved, in SQL that both engines understand. Its parameters are `?`. */
export abstract class StoredRows implements MovableRows {
  readonly address: string;
  /** Numbers of rows in a statement, from the largest to 1. Each number is a text of its own that stays prepared. */
  protected abstract readonly lengths: readonly number[];
  /** Selects a {@link Column} of every table in each row, in their order. */
  protected abstract readonly columnsOfTables: string;

  constructor(address: string) {
    this.address = address;
  }

  abstract sequences(): Promise<ReadonlyMap<string, number>>;
  abstract close(): Promise<void>;
  protected abstract all(sql: string, values?: MovedRow): MovedRow[] | Promise<MovedRow[]>;

  async shapes(): Promise<TableShape[]> {
    const tables = Map.groupBy(await this.columns(), ([table]) => table);
    return [...tables].map(([name, columns]) => {
      const inKey = columns.filter(([, , , place]) => place !== null).sort((a, b) => a[3]! - b[3]!);
      return {
        name,
        columns: columns.map(([, column]) => column),
        key: inKey.map(([, column]) => column),
        binary: columns.filter(([, , isBinary]) => isBinary === 1).map(([, column]) => column),
      };
    });
  }

  async count({ name, where = 'TRUE' }: Pick<MovedTable, 'name' | 'where'>): Promise<number> {
    return (await this.all(`SELECT count(*) FROM ${quoted(name)} WHERE ${where}`))[0]![0] as number;
  }

  async read(table: MovedTable, after: MovedRow | null, limit: number): Promise<MovedRow[]> {
    const behind = conditions(table, after !== null && comparison(table, '>'));
    return this.all(`${select(table)} ${behind} ORDER BY ${listOf(table.key)} LIMIT ?`, [...(after ?? []), limit]);
  }

  async readRange(table: MovedTable, after: MovedRow | null, last: MovedRow | null): Promise<MovedRow[]> {
    const where = conditions(table, after !== null && comparison(table, '>'), last !== null && comparison(table, '<='));
    const values = [...(after ?? []), ...(last ?? [])];
    return this.all(`${select(table)} ${where} ORDER BY ${listOf(table.key)}`, values);
  }

  async find(table: MovedTable, keys: readonly MovedRow[]): Promise<MovedRow[]> {
    const found: MovedRow[] = [];
    for (const some of inParts(keys, this.lengths)) {
      const where = conditions(table, isAmong(table, some.length));
      found.push(...(await this.all(`${select(table)} ${where}`, some.flat())));
    }
    return found;
  }

  /** Returns the columns of the product's tables. */
  protected async columns(): Promise<Column[]> {
    const all = (await this.all(this.columnsOfTables)) as unknown as Column[];
    return all.filter(([table]) => !notMoved.test(table));
  }
}
