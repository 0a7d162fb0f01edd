import pg from 'pg';

/** A database as its template makes it. */
export interface Pristine {
  /** Differs as soon as a statement has changed the schema. */
  readonly catalog: string;
  readonly tables: readonly Table[];
  /** Calls of `setval()`. */
  readonly sequences: readonly string[];
}

interface Table {
  /** Quoted. */
  readonly name: string;
  /** A JSON array. */
  readonly rows: string;
}

/** A larger database takes longer to empty, and to scan when it is empty, than a new copy takes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The catalogs of what a test may make or alter, each with the column that begins its index. */
const catalogs = {
  pg_attrdef: 'oid',
  pg_attribute: 'attrelid',
  pg_class: 'oid',
  pg_constraint: 'oid',
  pg_index: 'indrelid',
  pg_namespace: 'oid',
  pg_proc: 'oid',
  pg_trigger: 'oid',
  pg_type: 'oid',
};

/** PostgreSQL gives its own objects lower numbers (`FirstNormalObjectId` in its source). */
const FIRST_OWN_OID = 16_384;

/**
 * A new or altered object has a row of a newer transaction, and without a dropped one there are fewer rows. A copy has
 * the transactions of its template.
 */
const catalogQuery = `SELECT concat_ws(' ', ${Object.entries(catalogs)
  .map(([name, oid]) => `(SELECT (count(*), max(xmin::text::bigint)) FROM ${name} WHERE ${oid} >= ${FIRST_OWN_OID})`)
  .join(', ')}, (SELECT count(*) FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
  WHERE datname = current_database())) AS catalog`;

const bytesQuery = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** Reads what `makePristine()` needs from a new copy of a template. */
export async function readPristine(client: pg.Client): Promise<Pristine> {
  const names = async (kind: 'r' | 'S') =>
    (
      await client.query<{ name: string }>(
        "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = $1 AND relnamespace = 'public'::regnamespace",
        [kind],
      )
    ).rows.map(({ name }) => name);
  const tables: Table[] = [];
  for (const name of await names('r')) {
    const { rows } = await client.query<{ rows: string }>(
      `SELECT coalesce(json_agg(filled.*), '[]')::text AS rows FROM ${name} AS filled`,
    );
    tables.push({ name, rows: rows[0]!.rows });
  }
  const sequences: string[] = [];
  for (const name of await names('S')) {
    const { rows } = await client.query<{ call: string }>(
      `SELECT format('setval(%L, %s, %L)', $1::text, last_value, is_called) AS call FROM ${name}`,
      [name],
    );
    sequences.push(rows[0]!.call);
  }
  return { catalog: await catalogOf(client), tables, sequences };
}

/**
 * Gives a database the rows and the sequences of its template. Returns false if its schema has changed or if it has
 * grown large. It has to be dropped then.
 */
export async function makePristine(client: pg.Client, pristine: Pristine): Promise<boolean> {
  if ((await catalogOf(client)) !== pristine.catalog) return false;
  const { rows } = await client.query<{ bytes: string }>(bytesQuery);
  if (Number(rows[0]!.bytes) > MAX_BYTES) return false;
  const { tables, sequences } = pristine;
  const filled = tables.filter((table) => table.rows !== '[]');
  await client.query(
    [
      // No trigger runs, so the order of the tables does not matter.
      'SET session_replication_role = replica',
      ...tables.map(({ name }) => `DELETE FROM ${name}`),
      ...filled.map(
        ({ name, rows: json }) =>
          `INSERT INTO ${name} OVERRIDING SYSTEM VALUE
           SELECT * FROM json_populate_recordset(NULL::${name}, ${pg.escapeLiteral(json)})`,
      ),
      ...sequences.map((call) => `SELECT ${call}`),
    ].join(';'),
  );
  return true;
}

async function catalogOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ catalog: string }>(catalogQuery);
  return rows[0]!.catalog;
}
