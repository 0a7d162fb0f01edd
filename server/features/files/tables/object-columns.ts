import { spaces, type ObjectAddress, type Space } from '#server/domain/object-id.ts';
import { hashInKey, type KeySuffix } from '../key.ts';
import type { StoredObject } from '../object.ts';
import {
  bytesOfHex,
  column,
  type Columns,
  type Fields,
  hex,
  hexOf,
  json,
  mapped,
  nullable,
  record,
  snakeCase,
} from '#server/stores/tables/columns.ts';

/** A space, stored as its index in `spaces`. */
export const spaceColumn = mapped<Space, number>(
  column('space'),
  (stored) => spaces[stored]!,
  (space) => spaces.indexOf(space),
);

/** The address of a file. */
export const addressFields: Fields<ObjectAddress> = { accountId: 'account_id', space: spaceColumn, key: 'key' };

export const addressColumns = record<ObjectAddress>(addressFields);

export const suffixColumns = record<KeySuffix>({ extension: 'extension', hash: 'hash', mark: 'mark' });

/** The length of an MD5. */
const md5Bytes = 16;

/** An ETag. Nearly all are an MD5 in hexadecimal, which is stored as its bytes. The others are stored as their text. */
export const etagColumn: Columns<string> = mapped(column<Uint8Array>('etag'), etagOf, bytesOfEtag);

/** Reads an ETag from its column. */
export function etagOf(stored: Uint8Array): string {
  return stored.length === md5Bytes ? hexOf(stored) : Buffer.from(stored).toString();
}

function bytesOfEtag(etag: string): Uint8Array {
  const bytes = /^[0-9a-f]{32}$/.test(etag) ? bytesOfHex(etag) : Buffer.from(etag);
  if (etagOf(bytes) !== etag) throw new TypeError(`The ETag ${etag} cannot be told from an MD5.`);
  return bytes;
}

/** Stored in place of a hash that is in the key. */
const sameAsInKey = '';

const columns = record<StoredObject>({
  ...addressFields,
  suffix: suffixColumns,
  ...snakeCase(
    'generation',
    'contentId',
    'sizeBytes',
    'createdAt',
    'expiresAt',
    'cacheControl',
    'disposition',
    'originalName',
  ),
  etag: etagColumn,
  sha256: nullable(hex('sha256')),
  metadata: json('metadata'),
  clientProperties: nullable(json('s3')),
  versionId: 'version_id',
});

/** A whole file. Its hash is nearly always in its key, and then not stored a second time. */
export const objectColumns = mapped<StoredObject, StoredObject>(
  columns,
  (object) => (object.suffix.hash === sameAsInKey ? withStored(object, hashInKey(object)) : object),
  (object) => (object.suffix.hash === hashInKey(object) ? withStored(object, sameAsInKey) : object),
);

function withStored(object: StoredObject, hash: string): StoredObject {
  return { ...object, suffix: { ...object.suffix, hash } };
}
