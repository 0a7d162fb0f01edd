import type { DatabaseSync } from 'node:sqlite';

import { distinctOf, isLarge, rowsOf } from './large.ts';

/** A database of SQLite whose planner believes that it is the large store. */
export class LargeSqlite {
  readonly #db: DatabaseSync;
  readonly #tables: ReadonlySet<string>;

  /**
   * @param db has all tables and no rows, and is used for nothing else
   * @param isCounted whether somebody has run ANALYZE. The server never does, so its plans are made without figures
   */
  constructor(db: DatabaseSync, { isCounted }: { readonly isCounted: boolean }) {
    this.#db = db;
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    this.#tables = new Set(tables.map(({ name }) => String(name)));
    if (isCounted) pretend(db);
  }

  /** Returns what is wrong with the plan of a statement. */
  problemsOf(sql: string): string[] {
    const plan = this.#db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const inner = plan.flatMap(({ parent, detail }) =>
      /^(?:CO-ROUTINE|MATERIALIZE) /.test(String(detail)) ? [`${parent} ${String(detail).split(' ')[1]}`] : [],
    );
    const tableOf = aliasesIn(sql, this.#tables);
    const isAboutLarge = [...tableOf.values()].some(isLarge);
    return plan.flatMap(({ parent, detail }) => {
      const step = String(detail);
      const [, alias, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? [];
      const table =
        alias === undefined ? undefined : (tableOf.get(alias) ?? (this.#tables.has(alias) ? alias : undefined));
      // A subquery may have the name of a table.
      if (inner.includes(`${parent} ${alias}`)) return [];
      if (table !== undefined && isLarge(table)) return [`scans ${index ?? table}`];
      // A sort within what an index has ordered already ends with each of its values.
      if (/^USE TEMP B-TREE FOR (ORDER|GROUP) BY/.test(step) && isAboutLarge) return ['sorts'];
      return /AUTOMATIC|ANY\(/.test(step) ? [`has no index: ${step}`] : [];
    });
  }
}

/** Returns the tables that a statement names, by their names in it. */
function aliasesIn(sql: string, tables: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = sql.matchAll(/(?:FROM|JOIN|INTO|UPDATE|,)\s+(\w+)(?:\s+AS\s+(\w+))?/gi);
  return new Map([...found].flatMap(([, name, alias]) => (tables.has(name!) ? [[alias ?? name!, name!]] : [])));
}

/** Most partial indexes hold what is due. */
const dueRows = 1_000;

/** Writes what ANALYZE would have found. */
function pretend(db: DatabaseSync): void {
  db.exec('ANALYZE; DELETE FROM sqlite_stat1');
  const insert = db.prepare('INSERT INTO sqlite_stat1 VALUES (?, ?, ?)');
  const indexes = db
    .prepare(
      `SELECT tbl_name AS "table", list.name AS "index", list."unique" AS is_unique, partial FROM sqlite_schema
       JOIN pragma_index_list(tbl_name) AS list WHERE type = 'table' AND tbl_name NOT LIKE 'sqlite_%'`,
    )
    .all();
  for (const { table, index, is_unique: isUnique, partial } of indexes) {
    const rows = partial === 1 ? Math.min(rowsOf(String(table)), dueRows) : rowsOf(String(table));
    const columns = db.prepare('SELECT name FROM pragma_index_info(?)').all(index!);
    let each = rows;
    const averages = columns.map(({ name }, at) => {
      const distinct = distinctOf(String(name ?? 'at'));
      each = Math.max(1, Math.ceil(distinct < 0 ? 1 : each / distinct));
      return isUnique === 1 && at === columns.length - 1 ? 1 : each;
    });
    insert.run(table!, index!, [rows, ...averages].join(' '));
  }
  // Read again by the planner.
  db.exec('ANALYZE sqlite_schema');
}
