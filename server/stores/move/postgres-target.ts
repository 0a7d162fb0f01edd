import { sqlState } from '../postgres/database-errors.ts';
import type { Session } from '../postgres/session.ts';
import { PostgresMovableRows, inParts, places } from './postgres-rows.ts';
import { keyOf, type MovedTable, type RowChanges, type TargetRows } from './rows.ts';
import { listOf, quoted } from './sqlite-rows.ts';
import { writeExchanging } from './write-exchanging.ts';

const uniqueViolation = '23505';
const isConflict = (error: unknown) => sqlState(error) === uniqueViolation;

const ownForeignKeys = `FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`;

/** A PostgreSQL database that rows are moved to. */
export class PostgresTarget extends PostgresMovableRows implements TargetRows {
  /** Only a superuser may switch foreign keys off, so they are dropped, and made again by `finish()`. */
  async prepare(): Promise<void> {
    await this.inTransaction(async (session) => {
      await session.command(
        'CREATE TABLE IF NOT EXISTS store_move_constraints (table_name TEXT, name TEXT, definition TEXT, PRIMARY ' +
          'KEY (table_name, name))',
      );
      await session.command(
        'INSERT INTO store_move_constraints SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) ' +
          `${ownForeignKeys} ON CONFLICT DO NOTHING`,
      );
      const { rows } = await session.command(`SELECT conrelid::regclass::text, conname ${ownForeignKeys}`);
      for (const [table, name] of rows)
        await session.command(`ALTER TABLE ${String(table)} DROP CONSTRAINT ${quoted(String(name))}`);
    });
  }

  write(changes: readonly RowChanges[]): Promise<void> {
    return writeExchanging((removesFirst) => this.#write(changes, removesFirst), isConflict);
  }

  async finish(sequences: ReadonlyMap<string, number>): Promise<void> {
    for (const [name, own] of await this.sequences()) {
      const [table, column] = name.split('.') as [string, string];
      const [row] = await this.all(`SELECT coalesce(max(${quoted(column)}), 0) + 1 FROM ${quoted(table)}`);
      const next = Math.max(own, sequences.get(name) ?? 1, Number(row![0]));
      await this.all('SELECT setval(pg_get_serial_sequence(quote_ident($1), $2), $3, false)', [table, column, next]);
    }
    await this.inTransaction(async (session) => {
      const { rows } = await session.command('SELECT table_name, name, definition FROM store_move_constraints');
      for (const [table, name, definition] of rows) {
        const valid = String(definition).replace(/ NOT VALID$/, '');
        await session.command(`ALTER TABLE ${String(table)} ADD CONSTRAINT ${quoted(String(name))} ${valid} NOT VALID`);
      }
      await session.command('DROP TABLE store_move_constraints');
    });
  }

  async validate(): Promise<void> {
    const waiting = await this.all(`SELECT conrelid::regclass::text, conname ${ownForeignKeys} AND NOT convalidated`);
    for (const [table, name] of waiting)
      await this.inTransaction((session) =>
        session.command(`ALTER TABLE ${String(table)} VALIDATE CONSTRAINT ${quoted(String(name))}`),
      );
  }

  #write(changes: readonly RowChanges[], isRemovedFirst: boolean): Promise<void> {
    return this.inTransaction(async (session) => {
      for (const { table, put, remove } of changes) {
        const gone = isRemovedFirst ? [...remove, ...put.map((row) => keyOf(table, row))] : remove;
        await drop(session, table, gone);
        for (const some of inParts(put)) await session.query(putOf(table, some.length), some.flat());
      }
    });
  }
}

async function drop(session: Session, { name, key }: MovedTable, keys: RowChanges['remove']): Promise<void> {
  for (const some of inParts(keys)) {
    const which = `(${listOf(key)}) IN (${places(some.length, key.length)})`;
    await session.query(`DELETE FROM ${quoted(name)} WHERE ${which}`, some.flat());
  }
}

/** A row with another key and the same unique value is a conflict, so that no row is lost unnoticed. */
function putOf({ name, columns, key }: MovedTable, rows: number): string {
  const others = columns.filter((column) => !key.includes(column));
  const change = others.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ');
  const onConflict = others.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${change}`;
  return (
    `INSERT INTO ${quoted(name)} (${listOf(columns)}) VALUES ${places(rows, columns.length)} ON CONFLICT ` +
    `(${listOf(key)}) ${onConflict}`
  );
}
