import { spaces, type ObjectAddress, type Space } from '#server/domain/object-id.ts';
import type { KeySuffix } from '#server/domain/objects/key.ts';
import { suffixOfOlderKey } from '#server/domain/objects/older-key.ts';
import type { ClientProperties, StoredObject } from '#server/domain/objects/object.ts';
import { successor } from '#server/domain/objects/successor.ts';
import type { ListedObject, ObjectScan, ObjectsTable, WrittenObject } from '#server/domain/objects/table.ts';
import { column, json, mapped, nullable, record, tuple, type Fields } from './columns.ts';
import { noteLostFile } from './links-of-file.ts';
import { table, type Rows } from './rows.ts';

/** A space, stored as its index in `spaces`. */
export const spaceColumn = mapped<Space, number>(
  column('space'),
  (stored) => spaces[stored]!,
  (space) => spaces.indexOf(space),
);

const addressFields: Fields<ObjectAddress> = { accountId: 'account_id', space: spaceColumn, key: 'key' };

export const addressColumns = record<ObjectAddress>(addressFields);

export const suffixColumns = record<KeySuffix>({ extension: 'extension', hash: 'hash', mark: 'mark' });

/** Rows of older versions have no suffix. */
type StoredRow = Omit<StoredObject, 'suffix'> & { readonly suffix: KeySuffix | null };

const storedRow = record<StoredRow>({
  ...addressFields,
  suffix: nullable(suffixColumns),
  generation: 'incarnation',
  contentId: 'content_id',
  sizeBytes: 'size_bytes',
  etag: 'etag',
  sha256: 'sha256',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  cacheControl: 'cache_control',
  disposition: 'disposition',
  originalName: 'original_name',
  metadata: json('metadata'),
  clientProperties: nullable(json('s3')),
});

export const objects = table(
  'objects',
  mapped<StoredObject, StoredRow>(
    storedRow,
    (row) => ({ ...row, suffix: row.suffix ?? suffixOfOlderKey(row) }),
    (object) => object,
  ),
  'account_id, space, key',
);

type ListedRow = readonly [
  key: string,
  sizeBytes: number,
  etag: string,
  createdAt: number,
  expiresAt: number | null,
  clientProperties: string | null,
];

const listed = table('objects', tuple<ListedRow>('key', 'size_bytes', 'etag', 'created_at', 'expires_at', 's3'));

/** Reads a file of a list. Its account and space are those of the scan. */
function listedObject({ accountId, space }: ObjectScan, row: ListedRow): ListedObject {
  const [key, sizeBytes, etag, createdAt, expiresAt, properties] = row;
  const checksum = properties === null ? null : ((JSON.parse(properties) as ClientProperties).checksum ?? null);
  return { accountId, space, key, sizeBytes, etag, createdAt, expiresAt, checksum };
}

const addresses = table('objects', addressColumns);

const written = table('objects', record<WrittenObject>({ ...addressFields, createdAt: 'created_at' }));

const atAddress = 'WHERE account_id = ? AND space = ? AND key = ?';

/** Compares keys by the bytes of their UTF-8: SQLite's BINARY order, and PostgreSQL's collation "C". */
export function objectsTable(rows: Rows): ObjectsTable {
  return {
    find: async ({ accountId, space, key }) => rows.cached(objects, atAddress, accountId, spaces.indexOf(space), key),
    async scan(scan) {
      const { accountId, space, prefix, from, limit } = scan;
      const given = from === undefined ? prefix : 'behind' in from ? from.behind : from.at;
      // A start before the prefix would include the keys between the two.
      const isBefore = Buffer.compare(Buffer.from(given), Buffer.from(prefix)) < 0;
      const isBehind = !isBefore && from !== undefined && 'behind' in from;
      const end = successor(prefix);
      const found = await rows.all(
        listed,
        `WHERE account_id = ? AND space = ? AND key ${isBehind ? '>' : '>='} ? ${end === undefined ? '' : 'AND key < ?'}
         ORDER BY key LIMIT ?`,
        ...[accountId, spaces.indexOf(space), isBefore ? prefix : given, ...(end === undefined ? [] : [end]), limit],
      );
      return found.map((row) => listedObject(scan, row));
    },
    async scanByAge({ accountId, after = Number.MIN_SAFE_INTEGER, until, behind, limit }) {
      // No space has the number `spaces.length`, so this triple is behind every file of its instant.
      const start = behind ? [behind.createdAt, spaces.indexOf(behind.space), behind.key] : [after, spaces.length, ''];
      return rows.all(
        written,
        `WHERE account_id = ? AND (created_at, space, key) > (?, ?, ?) AND created_at <= ?
         ORDER BY created_at, space, key LIMIT ?`,
        ...[accountId, ...start, until, limit],
      );
    },
    expired: async (now, limit) => rows.all(addresses, 'WHERE expires_at <= ? ORDER BY expires_at LIMIT ?', now, limit),
    unhashed: async (afterContentId, limit) =>
      rows.values<string>(
        'SELECT DISTINCT content_id FROM objects WHERE sha256 IS NULL AND content_id > ? ORDER BY content_id LIMIT ?',
        afterContentId,
        limit,
      ),
    async setSha256(contentId, sha256) {
      await rows.write('UPDATE objects SET sha256 = ? WHERE content_id = ?', sha256, contentId);
    },
    async put(object, former) {
      await rows.put(objects, object);
      if (former && former.generation !== object.generation) await noteLostFile(rows, object);
    },
    async remove(address) {
      const { accountId, space, key } = address;
      const remove = `DELETE FROM objects ${atAddress}`;
      const removed = await rows.change(objects, remove, accountId, spaces.indexOf(space), key);
      if (removed) await noteLostFile(rows, address);
      return removed;
    },
  };
}
