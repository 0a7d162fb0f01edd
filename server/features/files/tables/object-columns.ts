import { addressFields } from '#server/stores/tables/address-columns.ts';
import { hex, json, mapped, nullable, record, snakeCase } from '#server/stores/tables/columns.ts';
import { etagColumn } from '#server/stores/tables/etag-column.ts';
import { hashInKey, type KeySuffix } from '../key.ts';
import type { StoredObject } from '../object.ts';

export const suffixColumns = record<KeySuffix>({ extension: 'extension', hash: 'hash', mark: 'mark' });

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
