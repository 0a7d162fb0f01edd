import pg from 'pg';

import type { Parameter } from '#server/stores/postgres/session.ts';
import { distinctOf, isLarge, rowsOf } from './large.ts';

/** A node of a plan, as EXPLAIN gives it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Sort Key'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

interface Index {
  readonly name: string;
  readonly table: string;
  /** Its first column, or expression. */
  readonly leading: string;
}

function isAboutLarge(node: PlanNode): boolean {
  const table = node['Relation Name'];
  return (table !== undefined && isLarge(table)) || (node.Plans ?? []).some(isAboutLarge);
}

/** A database whose planner believes that it is the large store. It has one row in each table, so that it has pages. */
export class LargePostgres {
  readonly #client: pg.Client;
  readonly #indexes: ReadonlyMap<string, Index>;

  private constructor(client: pg.Client, indexes: readonly Index[]) {
    this.#client = client;
    this.#indexes = new Map(indexes.map((index) => [index.name, index]));
  }

  /** @param url of a database with all tables, which can be used for nothing else afterwards */
  static async open(url: string): Promise<LargePostgres> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('SET session_replication_role = replica');
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    // Statistics of what is there would come between those that are told, or after them.
    for (const { name } of tables) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
    for (const { name } of tables) await addRow(client, name);
    for (const { name } of tables) await pretend(client, name);
    const { rows } = await client.query<Index>(
      `SELECT relname AS name, indrelid::regclass::text AS table, pg_get_indexdef(indexrelid, 1, true) AS leading
       FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'public'::regnamespace`,
    );
    return new LargePostgres(client, rows);
  }

  /** Returns what is wrong with the plan of a statement. */
  async problemsOf(sql: string, values: readonly Parameter[]): Promise<string[]> {
    const texts = values.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '') : value));
    const plan = await this.#client.query(`EXPLAIN (FORMAT JSON) ${sql}`, texts);
    return this.#problemsIn(plan.rows[0]['QUERY PLAN'][0].Plan as PlanNode);
  }

  #problemsIn(node: PlanNode): string[] {
    return [...this.#problemOf(node), ...(node.Plans ?? []).flatMap((one) => this.#problemsIn(one))];
  }

  #problemOf(node: PlanNode): string[] {
    const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = node;
    if (type === 'Seq Scan' && isLarge(table!)) return [`scans ${table}`];
    if (type === 'Sort' && isAboutLarge(node)) return ['sorts'];
    if (index === undefined) return [];
    const { table: ofIndex, leading } = this.#indexes.get(index)!;
    const first = /^\w+$/.test(leading) ? new RegExp(`\\b${leading}\\b`) : leading.replace(/^\((.*)\)$/, '$1');
    const isLed =
      condition !== undefined && (typeof first === 'string' ? condition.includes(first) : first.test(condition));
    return isLed || !isLarge(ofIndex) ? [] : [`scans ${index}`];
  }

  /** Does work while an index is missing. */
  async without(index: string, work: () => Promise<void>): Promise<void> {
    await this.#client.query(`BEGIN; DROP INDEX ${index}`);
    await work().finally(() => this.#client.query('ROLLBACK'));
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

/** A planner takes an empty table for empty, whatever it is told. */
async function addRow(client: pg.Client, table: string): Promise<void> {
  const { rows: checks } = await client.query<{ name: string }>(
    "SELECT conname AS name FROM pg_constraint WHERE contype = 'c' AND conrelid = $1::regclass",
    [table],
  );
  for (const { name } of checks)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`);
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attnotnull AND attgenerated = ''`,
    [table],
  );
  const valueOf = (type: string) => {
    if (type === 'text' || type === 'bytea') return "''";
    if (type.endsWith('[]')) return "'{}'";
    return type.startsWith('json') ? "'{}'" : type === 'boolean' ? 'false' : '77';
  };
  const list = columns.map(({ name }) => name).join(', ');
  const values = columns.map(({ type }) => valueOf(type)).join(', ');
  await client.query(
    `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE VALUES (${values}) ON CONFLICT DO NOTHING`,
  );
}

/** Tells the planner of as many rows as the large store has in the pages that are there. */
async function pretend(client: pg.Client, table: string): Promise<void> {
  const rows = rowsOf(table);
  await client.query(
    'UPDATE pg_class SET reltuples = $2, relpages = pg_relation_size(oid) / 8192 WHERE oid = $1::regclass',
    [table, rows],
  );
  await client.query(
    `UPDATE pg_class SET reltuples = $2, relpages = pg_relation_size(oid) / 8192
     WHERE oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass)`,
    [table, rows],
  );
  await client.query('DELETE FROM pg_statistic WHERE starelid = $1::regclass', [table]);
  await client.query(
    `INSERT INTO pg_statistic (starelid, staattnum, stainherit, stanullfrac, stawidth, stadistinct,
       stakind1, stakind2, stakind3, stakind4, stakind5, staop1, staop2, staop3, staop4, staop5,
       stacoll1, stacoll2, stacoll3, stacoll4, stacoll5, stavalues1)
     SELECT $1::regclass, number, false, nulls, 24, distinct_values, CASE WHEN instants IS NULL THEN 0 ELSE 2 END,
       0, 0, 0, 0, CASE WHEN instants IS NULL THEN 0 ELSE '<(int8,int8)'::regoperator::oid END,
       0, 0, 0, 0, 0, 0, 0, 0, 0, CASE WHEN instants IS NOT NULL THEN array_in(instants::cstring, 20, -1) END
     FROM json_to_recordset($2) AS one (number smallint, nulls real, distinct_values real, instants text)`,
    [table, JSON.stringify(await columnsOf(client, table))],
  );
}

/** Returns what the planner is told of each column. */
async function columnsOf(client: pg.Client, table: string): Promise<object[]> {
  const { rows } = await client.query<{ name: string; number: number; type: string; is_nullable: boolean }>(
    `SELECT attname AS name, attnum AS number, format_type(atttypid, NULL) AS type, NOT attnotnull AS is_nullable
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  return rows.map(({ name, number, type, is_nullable: isNullable }) => ({
    number,
    nulls: isNullable ? 0.9 : 0,
    distinct_values: distinctOf(name),
    instants: type === 'bigint' ? instantsOf(name) : null,
  }));
}

const dayMs = 86_400_000;

/** Returns the histogram of a column with instants. What ends, ends later: few rows are due. */
function instantsOf(column: string): string | null {
  if (!/(^at|_at|_until)$/.test(column)) return null;
  const isEnd = /^(expires|due|purge|ends|deadline|forgotten|leased)_/.test(column);
  // Jobs ask for what is 30 days old, or a year. At an edge of the histogram a second would decide the plan.
  const first = Date.now() - (isEnd ? 0 : 45 * dayMs);
  return `{${Array.from({ length: 31 }, (_, at) => first + at * 1.5 * dayMs).join(',')}}`;
}
