import {
  rowOf,
  textOf,
  type Rest,
  type Rows,
  type SqlValue,
  type Table,
  type Values,
} from '#server/stores/tables/rows.ts';
import { native } from './placeholders.ts';
import { scopeOfInsert, scopeOfPut, scopeOfRead, type Scope } from './scopes.ts';
import type { Answer } from './session.ts';

/**
 * Sends one statement with parameters `$1`, `$2` ….
 *
 * @param scopeOf returns the rows that a look-up can find
 */
type Send = (sql: string, values: readonly SqlValue[], scopeOf?: () => Scope | undefined) => Promise<Answer>;

/** The statements of a connection. */
export interface Sender {
  readonly send: Send;
  /**
   * Sends a statement whose answer nobody needs, and does not wait for it. If it fails, so does a later statement of
   * the transaction, or its commit. Without a transaction, this is `send`.
   *
   * @param scope the rows that it can change
   */
  readonly post: (sql: string, values: readonly SqlValue[], scope?: Scope) => Promise<void>;
}

/** The rows behind connections of PostgreSQL. Nothing is cached here: other processes write too. */
export class PostgresRows implements Rows {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  async one<T>(table: Table<T>, rest: Rest = '', ...values: Values): Promise<T | undefined> {
    const [row] = await this.#select(table, rest, values);
    return row && table.columns.read(row, 0);
  }

  async all<T>(table: Table<T>, rest: Rest = '', ...values: Values): Promise<T[]> {
    return (await this.#select(table, rest, values)).map((row) => table.columns.read(row, 0));
  }

  cached<T>(table: Table<T>, rest: Rest, ...values: SqlValue[]): Promise<T | undefined> {
    return this.one(table, rest, ...values);
  }

  allCached<T>(table: Table<T>, rest: Rest, ...values: SqlValue[]): Promise<readonly T[]> {
    return this.all(table, rest, ...values);
  }

  async value<T extends SqlValue>(sql: string, ...values: Values): Promise<T | undefined> {
    return (await this.#all(sql, values))[0]?.[0] as T | undefined;
  }

  async values<T extends SqlValue>(sql: string, ...values: Values): Promise<T[]> {
    return (await this.#all(sql, values)).map(([value]) => value as T);
  }

  run(sql: string, ...values: Values): Promise<number> {
    return this.#run(sql, values);
  }

  write(sql: string, ...values: Values): Promise<void> {
    return this.#post(sql, values);
  }

  async change<T>({ columns, list }: Table<T>, sql: string, ...values: Values): Promise<T | undefined> {
    const [row] = await this.#all(`${sql} RETURNING ${list}`, values);
    return row && columns.read(row, 0);
  }

  async insert<T>(table: Table<T>, value: T, onConflict = ''): Promise<boolean> {
    if (onConflict !== '') return (await this.#run(`${table.insert} ${onConflict}`, rowOf(table, value))) === 1;
    const row = rowOf(table, value);
    await this.#post(table.insert, row, scopeOfInsert(table, row));
    return true;
  }

  async insertIf<T>(table: Table<T>, value: T, condition: string, ...values: SqlValue[]): Promise<boolean> {
    const insert = `INSERT INTO ${table.name} (${table.list}) SELECT ${table.places} WHERE ${condition}`;
    return (await this.#run(insert, [...rowOf(table, value), ...values])) === 1;
  }

  put<T>(table: Table<T>, value: T): Promise<void> {
    const row = rowOf(table, value);
    return this.#post(table.put, row, scopeOfPut(table, row));
  }

  update<T>(table: Table<T>, value: T, which: string, ...values: SqlValue[]): Promise<number> {
    const update = `UPDATE ${table.name} SET ${table.assignments} WHERE ${which}`;
    return this.#run(update, [...rowOf(table, value), ...values]);
  }

  removeSome(name: string, key: string, which: string, ...values: SqlValue[]): Promise<number> {
    return this.run(
      `DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} WHERE ${which} LIMIT ?)`,
      ...values,
    );
  }

  async #select<T>(table: Table<T>, rest: Rest, values: Values): Promise<Answer['rows']> {
    const statement = native(`SELECT ${table.list} FROM ${table.name} ${textOf(rest)}`, values);
    const scopeOf = () => scopeOfRead(table, rest, values);
    return (await this.#sender.send(statement.text, statement.values, scopeOf)).rows;
  }

  async #all(sql: string, values: Values): Promise<Answer['rows']> {
    const statement = native(sql, values);
    return (await this.#sender.send(statement.text, statement.values)).rows;
  }

  async #run(sql: string, values: Values): Promise<number> {
    const statement = native(sql, values);
    return (await this.#sender.send(statement.text, statement.values)).count;
  }

  #post(sql: string, values: Values, scope?: Scope): Promise<void> {
    const statement = native(sql, values);
    return this.#sender.post(statement.text, statement.values, scope);
  }
}
