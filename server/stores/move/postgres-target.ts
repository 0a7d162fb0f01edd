import { sqlState } from '../postgres/database-errors.ts';
import { native } from '../postgres/placeholders.ts';
import { PostgresMovableRows } from './postgres-rows.ts';
import type { RowChanges, TargetRows } from './rows.ts';
import { quoted, writesOf } from './statements.ts';
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
    const write = (removesFirst: boolean) =>
      this.inTransaction(async (session) => {
        for (const [sql, row] of writesOf(changes, removesFirst, this.lengths)) {
          const { text, values } = native(sql, row);
          await session.query(text, values);
        }
      });
    return writeExchanging(write, isConflict);
  }

  async finish(sequences: ReadonlyMap<string, number>): Promise<void> {
    for (const [name, own] of await this.sequences()) {
      const [table, column] = name.split('.') as [string, string];
      const [row] = await this.all(`SELECT coalesce(max(${quoted(column)}), 0) + 1 FROM ${quoted(table)}`);
      const next = Math.max(own, sequences.get(name) ?? 1, Number(row![0]));
      await this.all('SELECT setval(pg_get_serial_sequence(quote_ident(?), ?), ?, false)', [table, column, next]);
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
}
