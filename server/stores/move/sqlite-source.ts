import type { DatabaseSync } from 'node:sqlite';

import { hasTable } from '../sqlite/connection.ts';
import { movingMessage } from '../moving.ts';
import { changeOf, forever, putRecord, selectChanges, takeWrites } from './noted-changes.ts';
import type { NotedChange, SourceRows, TableShape } from './rows.ts';
import { SqliteMovableRows } from './sqlite-rows.ts';
import { quoted } from './statements.ts';

const nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** The record of the move, and until when writes are refused. */
const makeTables = `
  CREATE TABLE IF NOT EXISTS store_move (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    record TEXT NOT NULL,
    refused_until INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS store_move_changes (
    id INTEGER PRIMARY KEY,
    changed_table TEXT NOT NULL,
    key TEXT NOT NULL
  ) STRICT;`;

/**
 * A SQLite database that rows are moved from. Triggers note the changes, so they are part of the servers' own
 * transactions.
 */
export class SqliteSource extends SqliteMovableRows implements SourceRows {
  async findRecord(): Promise<string | undefined> {
    return hasTable(this.db, 'store_move')
      ? (this.all('SELECT record FROM store_move')[0]?.[0] as string | undefined)
      : undefined;
  }

  async saveRecord(record: string): Promise<void> {
    await this.inTransaction(() => this.run(putRecord, [record]));
  }

  async beginNoting(noted: readonly TableShape[], all: readonly string[], record: string): Promise<void> {
    await this.inTransaction(() => {
      this.db.exec(makeTables);
      for (const name of all) {
        const shape = noted.find((table) => table.name === name);
        for (const event of ['INSERT', 'UPDATE', 'DELETE'] as const) this.db.exec(trigger(name, event, shape));
      }
      this.run(putRecord, [record]);
    });
  }

  async endNoting(): Promise<void> {
    await this.inTransaction(() => endNotingIn(this.db));
  }

  async changes(limit: number): Promise<NotedChange[]> {
    return this.all(selectChanges, [limit]).map(changeOf);
  }

  async forget(ids: readonly number[]): Promise<void> {
    await this.inTransaction(() => {
      for (const id of ids) this.run('DELETE FROM store_move_changes WHERE id = ?', [id]);
    });
  }

  /** One process writes at a time, so that nothing earlier is under way when this is committed. */
  async refuseWrites(forMs: number): Promise<void> {
    await this.inTransaction(() => this.run(`UPDATE store_move SET refused_until = ${nowMs} + ?`, [forMs]));
  }

  async takeWrites(): Promise<void> {
    await this.inTransaction(() => this.run(takeWrites));
  }

  refuseForGood(record: string): Promise<boolean> {
    return this.inTransaction(() => {
      const isRefused = this.all(`SELECT refused_until > ${nowMs} FROM store_move`)[0]?.[0] === 1;
      if (!isRefused || this.all('SELECT 1 FROM store_move_changes LIMIT 1').length > 0) return false;
      this.run('UPDATE store_move SET refused_until = ?, record = ?', [forever, record]);
      return true;
    });
  }
}

/** Removes everything that a move added to its source. Call it in a transaction. */
export function endNotingIn(db: DatabaseSync): void {
  const triggers = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'store_move_*'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${quoted(name as string)}`);
  db.exec('DROP TABLE IF EXISTS store_move_changes; DROP TABLE IF EXISTS store_move');
}

/** Refuses the write if that was requested, and notes the key of the row. A changed key is noted before and after. */
function trigger(name: string, event: 'INSERT' | 'UPDATE' | 'DELETE', shape: TableShape | undefined): string {
  const note = (row: 'NEW' | 'OLD') =>
    shape === undefined
      ? ''
      : `INSERT INTO store_move_changes (changed_table, key) VALUES ('${name}', ` +
        `json_array(${shape.key.map((column) => jsonOf(shape, row, column)).join(', ')}));`;
  const notes = { INSERT: note('NEW'), DELETE: note('OLD'), UPDATE: note('OLD') + changedKey(shape, note('NEW')) };
  return `CREATE TRIGGER IF NOT EXISTS store_move_${name}_${event.toLowerCase()} AFTER ${event} ON ${quoted(name)} BEGIN
    SELECT RAISE(ABORT, '${movingMessage}') FROM store_move WHERE refused_until > ${nowMs};
    ${notes[event]}
  END`;
}

/** Updates rarely change a key, and then another statement notes the new one. */
function changedKey(shape: TableShape | undefined, note: string): string {
  if (shape === undefined) return '';
  const differs = shape.key.map((column) => `NEW.${quoted(column)} IS NOT OLD.${quoted(column)}`).join(' OR ');
  return note.replace('VALUES (', 'SELECT ').replace(/\);$/, ` WHERE ${differs};`);
}

/** JSON has no bytes, so they are an object with their hex digits. */
function jsonOf({ binary }: TableShape, row: 'NEW' | 'OLD', column: string): string {
  const value = `${row}.${quoted(column)}`;
  return binary.includes(column) ? `json_object('hex', hex(${value}))` : value;
}
