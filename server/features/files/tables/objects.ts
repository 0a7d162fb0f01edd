import { spaces, type Space } from '#server/domain/object-id.ts';
import type { ClientProperties } from '../object.ts';
import { successor } from '#server/domain/successor.ts';
import type { ExpiredObject, ListedObject, ObjectsTable, ScanStart, WrittenObject } from '../table.ts';
import { bytesOfHex, hexOf, record, tuple } from '#server/stores/tables/columns.ts';
import { addressFields } from '#server/stores/tables/address-columns.ts';
import { etagOf } from '#server/stores/tables/etag-column.ts';
import { objectColumns } from './object-columns.ts';
import { table, type Rows, type SqlValue, where } from '#server/stores/tables/rows.ts';

export const objects = table('objects', objectColumns, 'account_id, space, key');

type ListedRow = readonly [
  key: string,
  sizeBytes: number,
  etag: Uint8Array,
  createdAt: number,
  expiresAt: number | null,
  clientProperties: string | null,
];

const listedColumns = ['key', 'size_bytes', 'etag', 'created_at', 'expires_at', 's3'] as const;

const listed = table('objects', tuple<ListedRow>(...listedColumns));

type SortedRow = readonly [...ListedRow, space: number];

const sorted = table('objects', tuple<SortedRow>(...listedColumns, 'space'));

type DetailedRow = readonly [
  ...SortedRow,
  originalName: string | null,
  metadata: string,
  sha256: Uint8Array | null,
  versionId: string,
];

const detailed = table(
  'objects',
  tuple<DetailedRow>(...listedColumns, 'space', 'original_name', 'metadata', 'sha256', 'version_id'),
);

/** Reads a file of a list. */
function listedObject(accountId: string, space: Space, row: ListedRow): ListedObject {
  const [key, sizeBytes, etag, createdAt, expiresAt, properties] = row;
  const checksum = properties === null ? null : ((JSON.parse(properties) as ClientProperties).checksum ?? null);
  return { accountId, space, key, sizeBytes, etag: etagOf(etag), createdAt, expiresAt, checksum };
}

/** Reads a file of a list with its space, and with its details if they were requested. */
function sortedObject(accountId: string, row: SortedRow | DetailedRow): ListedObject {
  const [key, sizeBytes, etag, createdAt, expiresAt, properties, space] = row;
  const object = listedObject(accountId, spaces[space]!, [key, sizeBytes, etag, createdAt, expiresAt, properties]);
  if (row.length === 7) return object;
  const [, , , , , , , originalName, metadata, hash, versionId] = row;
  const sha256 = hash && hexOf(hash);
  return { ...object, details: { originalName, metadata: JSON.parse(metadata), sha256, versionId } };
}

/** Reads rows with or without details. */
async function sortedRows(
  rows: Rows,
  { accountId, hasDetails = false }: { readonly accountId: string; readonly hasDetails?: boolean },
  where: string,
  values: SqlValue[],
): Promise<ListedObject[]> {
  const found: ReadonlyArray<SortedRow | DetailedRow> = hasDetails
    ? await rows.all(detailed, where, ...values)
    : await rows.all(sorted, where, ...values);
  return found.map((row) => sortedObject(accountId, row));
}

const valueColumns = { size: 'size_bytes', created: 'created_at' } as const;

/** How many characters of a key stand between the prefix and the delimiter, plus 1. 0 if there is no delimiter. */
const beforeDelimiter = 'instr(substr(entry.key, length(CAST(:prefix AS TEXT)) + 1), CAST(:delimiter AS TEXT))';

const hasExpired = `EXISTS (SELECT 1 FROM objects AS file
      WHERE file.account_id = :account AND file.space = :space AND file.key = entry.key AND file.expires_at <= :now)`;

/** Selects the first key from a place on. */
const firstKey = (place: string, end: string) => `SELECT file.key FROM objects AS file
    WHERE file.account_id = :account AND file.space = :space AND file.key ${place} ${end} ORDER BY file.key LIMIT 1`;

/**
 * The first file of each entry. One that has expired is an entry of its own, so no step reads more than one row. Each
 * step has one lower bound, because SQLite uses one: behind a folder, or behind a key, to which the least character of
 * keys is added. Neither engine may begin with the other side of the join, which is all files of the space.
 */
const rolledUp = (start: string, end: string) => `(WITH RECURSIVE entry (key, at) AS (
    SELECT first.key, 1 FROM (${firstKey(start, end)}) AS first
    UNION ALL SELECT (${firstKey(
      `>= CASE WHEN ${beforeDelimiter} = 0 OR ${hasExpired} THEN entry.key || CAST(:least AS TEXT)
         ELSE substr(entry.key, 1, length(CAST(:prefix AS TEXT)) + ${beforeDelimiter} - 1) || CAST(:behind AS TEXT)
         END`,
      end,
    )}), at + 1 FROM entry WHERE entry.key IS NOT NULL AND at < :limit
  ) SELECT key AS entry_key FROM entry) AS entries CROSS JOIN objects`;

const rolledUpRows = 'WHERE account_id = :account AND space = :space AND key = entry_key ORDER BY key';

/** The least character behind a key. Keys have no control characters. */
const least = '\u0001';

const expiring = table('objects', record<ExpiredObject>({ ...addressFields, expiresAt: 'expires_at' }));

/** A file that a step has looked at, with its place in the step or among those of its space. */
type LookedAt = WrittenObject & { readonly at: number };

const lookedAtColumns = record<LookedAt>({ ...addressFields, createdAt: 'created_at', at: 'at' });

const writtenColumns = 'account_id, space, key, created_at';

/** The files that a step by age looks at. A start in the same instant cannot be a bound of the index alone. */
const lookedAtByAge = table(
  `(SELECT ${writtenColumns}, row_number() OVER (ORDER BY created_at, space, key) AS at FROM (
    SELECT ${writtenColumns} FROM objects
    WHERE account_id = :account AND (created_at, space, key) > (:start, :space, :key) AND created_at <= :until
    ORDER BY created_at, space, key LIMIT :limit) AS seen) AS looked_at`,
  lookedAtColumns,
);

/** The files of some spaces that a step by key looks at. */
function lookedAtByKey(wanted: readonly Space[], hasEnd: boolean) {
  const ofSpace = wanted.map((space) => {
    const at = spaces.indexOf(space);
    return `SELECT ${writtenColumns}, row_number() OVER (ORDER BY key) AS at FROM (
      SELECT ${writtenColumns} FROM objects
      WHERE account_id = :account AND space = ${at} AND key >= :start${at} ${hasEnd ? 'AND key < :end' : ''}
      ORDER BY key LIMIT :limit) AS seen${at}`;
  });
  return table(`(${ofSpace.join(' UNION ALL ')}) AS looked_at`, lookedAtColumns);
}

function withoutPlace({ at: _, ...object }: LookedAt): WrittenObject {
  return object;
}

const atAddress = where('account_id', 'space', 'key');

/** Compares keys by the bytes of their UTF-8: SQLite's BINARY order, and PostgreSQL's collation "C". */
export function objectsTable(rows: Rows): ObjectsTable {
  return {
    ...scans(rows),
    find: async ({ accountId, space, key }) => rows.cached(objects, atAddress, accountId, spaces.indexOf(space), key),
    async expired(now, limit, from) {
      if (!from) return rows.all(expiring, 'WHERE expires_at <= ? ORDER BY expires_at LIMIT ?', now, limit);
      const where = 'WHERE expires_at >= ? AND expires_at <= ? ORDER BY expires_at LIMIT ? OFFSET ?';
      return rows.all(expiring, where, from.expiresAt, now, limit, from.passed);
    },
    unhashed: async (afterContentId, limit) =>
      rows.values<string>(
        'SELECT DISTINCT content_id FROM objects WHERE sha256 IS NULL AND content_id > ? ORDER BY content_id LIMIT ?',
        afterContentId,
        limit,
      ),
    async setSha256(contentId, sha256) {
      for (const name of ['objects', 'trash'])
        await rows.write(`UPDATE ${name} SET sha256 = ? WHERE content_id = ?`, bytesOfHex(sha256), contentId);
    },
    put: async (object) => rows.put(objects, object),
    async remove({ accountId, space, key }) {
      const remove = `DELETE FROM objects ${atAddress.text}`;
      return rows.change(objects, remove, accountId, spaces.indexOf(space), key);
    },
  };
}

/** Returns where a scan begins. A start before the prefix would include the keys between the two. */
function startOf(from: ScanStart | undefined, prefix: string) {
  const given = from === undefined ? prefix : 'behind' in from ? from.behind : from.at;
  if (Buffer.compare(Buffer.from(given), Buffer.from(prefix)) < 0) return { start: prefix, isBehind: false };
  return { start: given, isBehind: from !== undefined && 'behind' in from };
}

/** Steps through the files of an account. */
function scans(
  rows: Rows,
): Pick<ObjectsTable, 'scan' | 'scanRolledUp' | 'scanDown' | 'scanByValue' | 'scanByAge' | 'scanAgedByKey'> {
  return {
    ...writtenScans(rows),
    async scan(scan) {
      const { accountId, space, prefix, from, hasDetails = false, limit } = scan;
      const { start, isBehind } = startOf(from, prefix);
      const end = successor(prefix);
      const where = `WHERE account_id = ? AND space = ?
         AND key ${isBehind ? '>' : '>='} ? ${end === undefined ? '' : 'AND key < ?'}
         ORDER BY key LIMIT ?`;
      const values = [accountId, spaces.indexOf(space), start, ...(end === undefined ? [] : [end]), limit];
      if (hasDetails) return sortedRows(rows, scan, where, values);
      return (await rows.all(listed, where, ...values)).map((row) => listedObject(accountId, space, row));
    },
    async scanRolledUp(scan) {
      const { accountId, space, prefix, from, delimiter, now, hasDetails = false, limit } = scan;
      const [end, behind] = [successor(prefix), successor(delimiter)!];
      const { start, isBehind } = startOf(from, prefix);
      const name = rolledUp(`${isBehind ? '>' : '>='} :start`, end === undefined ? '' : 'AND file.key < :end');
      const values = {
        ...{ account: accountId, space: spaces.indexOf(space), prefix, delimiter, behind, least, now, limit },
        start,
        ...(end !== undefined && { end }),
      };
      const found: ReadonlyArray<SortedRow | DetailedRow> = hasDetails
        ? await rows.all({ ...detailed, name }, rolledUpRows, values)
        : await rows.all({ ...sorted, name }, rolledUpRows, values);
      return found.map((row) => sortedObject(accountId, row));
    },
    async scanDown(scan) {
      const { accountId, space, prefix, before, limit } = scan;
      const end = before ?? successor(prefix);
      return sortedRows(
        rows,
        scan,
        `WHERE account_id = ? AND space = ? AND key >= ? ${end === undefined ? '' : 'AND key < ?'}
         ORDER BY key DESC LIMIT ?`,
        [accountId, spaces.indexOf(space), prefix, ...(end === undefined ? [] : [end]), limit],
      );
    },
    async scanByValue(scan) {
      const { accountId, sort, isDescending, least, most, behind, limit } = scan;
      const column = valueColumns[sort];
      const order = isDescending ? 'DESC' : 'ASC';
      const conditions = [
        ...(behind ? [`(${column}, space, key) ${isDescending ? '<' : '>'} (?, ?, ?)`] : []),
        ...(least === undefined ? [] : [`${column} >= ?`]),
        ...(most === undefined ? [] : [`${column} <= ?`]),
      ].map((condition) => ` AND ${condition}`);
      return sortedRows(
        rows,
        scan,
        `WHERE account_id = ?${conditions.join('')} ORDER BY ${column} ${order}, space ${order}, key ${order} LIMIT ?`,
        [
          accountId,
          ...(behind ? [behind.value, spaces.indexOf(behind.space), behind.key] : []),
          ...[least, most].filter((bound) => bound !== undefined),
          limit,
        ],
      );
    },
  };
}

/**
 * Finds the files under a prefix that were written within a time. No index has both, so a step looks at a number of
 * files by one of them. The last one of a full step is always returned: the next step begins behind it.
 */
function writtenScans(rows: Rows): Pick<ObjectsTable, 'scanByAge' | 'scanAgedByKey'> {
  return {
    async scanByAge({ accountId, prefix, after = Number.MIN_SAFE_INTEGER, until, behind, limit }) {
      const end = successor(prefix);
      // No space has the number `spaces.length`, so this triple is behind every file of its instant.
      const [start, space, key] = behind
        ? [behind.createdAt, spaces.indexOf(behind.space), behind.key]
        : [after, spaces.length, ''];
      const found = await rows.all(
        lookedAtByAge,
        `WHERE key >= :prefix ${end === undefined ? '' : 'AND key < :end'} OR at = :limit ORDER BY at`,
        { account: accountId, start, space, key, until, limit, prefix, ...(end !== undefined && { end }) },
      );
      const last = found.at(-1);
      const files = found.filter((one) => one.key.startsWith(prefix)).map(withoutPlace);
      return { files, behind: last?.at === limit ? withoutPlace(last) : undefined };
    },
    async scanAgedByKey({ accountId, prefix, after = Number.MIN_SAFE_INTEGER, until, behind, limit }) {
      const end = successor(prefix);
      const wanted = spaces.filter((space) => !behind || behind.has(space));
      const starts = wanted.map((space) => [
        `start${spaces.indexOf(space)}`,
        behind ? `${behind.get(space)!}${least}` : prefix,
      ]);
      const found = await rows.all(
        lookedAtByKey(wanted, end !== undefined),
        'WHERE created_at > :after AND created_at <= :until OR at = :limit ORDER BY space, at',
        { account: accountId, ...Object.fromEntries(starts), ...(end !== undefined && { end }), after, until, limit },
      );
      const lasts = new Map(found.filter(({ at }) => at === limit).map(({ space, key }) => [space, key]));
      const files = found.filter(({ createdAt }) => createdAt > after && createdAt <= until).map(withoutPlace);
      return { files, behind: lasts.size > 0 ? lasts : undefined };
    },
  };
}
