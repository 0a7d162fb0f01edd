import { StoreMoveRefused } from './refused.ts';
import type { RowChanges, TargetRows } from './rows.ts';
import { SqliteMovableRows } from './sqlite-rows.ts';
import { quoted, writesOf } from './statements.ts';
import { writeExchanging } from './write-exchanging.ts';

/** @see https://www.sqlite.org/rescode.html#constraint_unique */
const uniqueConflict = 2067;

const isConflict = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === uniqueConflict;

/** A SQLite database that rows are moved to. */
export class SqliteTarget extends SqliteMovableRows implements TargetRows {
  /** Rows come in any order, and triggers have run in the source. */
  async prepare(): Promise<void> {
    this.db.exec('PRAGMA foreign_keys = OFF');
    await this.inTransaction(() => {
      this.db.exec('CREATE TABLE IF NOT EXISTS store_move_triggers (name TEXT PRIMARY KEY, sql TEXT NOT NULL) STRICT');
      this.db.exec(
        "INSERT OR IGNORE INTO store_move_triggers SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
      );
      for (const [name] of this.all("SELECT name FROM sqlite_schema WHERE type = 'trigger'"))
        this.db.exec(`DROP TRIGGER ${quoted(name as string)}`);
    });
  }

  write(changes: readonly RowChanges[]): Promise<void> {
    const write = (removesFirst: boolean) =>
      this.inTransaction(() => {
        for (const [sql, values] of writesOf(changes, removesFirst, this.lengths)) this.run(sql, values);
      });
    return writeExchanging(write, isConflict);
  }

  async finish(sequences: ReadonlyMap<string, number>): Promise<void> {
    const own = await this.sequences();
    await this.inTransaction(() => {
      for (const [column, next] of sequences) {
        const table = column.split('.')[0]!;
        if (this.#countsUp(table) && (own.get(column) ?? 0) < next) this.#setLast(table, next - 1);
      }
      if (this.all("SELECT 1 FROM sqlite_schema WHERE name = 'store_move_triggers'").length === 0) return;
      for (const [sql] of this.all('SELECT sql FROM store_move_triggers')) this.db.exec(sql as string);
      this.db.exec('DROP TABLE store_move_triggers');
    });
    this.db.exec('PRAGMA foreign_keys = ON');
  }

  async validate(): Promise<void> {
    const [dangling] = this.all('PRAGMA foreign_key_check');
    if (dangling)
      throw new StoreMoveRefused(
        `A row of ${String(dangling[0])} refers to a row of ${String(dangling[2])} that was not copied. Report ` +
          'this as a bug.',
      );
  }

  #countsUp(table: string): boolean {
    const [row] = this.all("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [table]);
    return typeof row?.[0] === 'string' && row[0].includes('AUTOINCREMENT');
  }

  #setLast(table: string, last: number): void {
    const changed = this.run('UPDATE sqlite_sequence SET seq = ? WHERE name = ?', [last, table]);
    if (changed === 0) this.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table, last]);
  }
}
