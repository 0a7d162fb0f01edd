import type { ListObjectsData, ObjectEntry } from '#generated/types.ts';
import type { ListFilters } from '../listing/list-filters.ts';
import type { ListObjects } from '../listing/list-objects.ts';
import { servingOf } from '../serving.ts';
import type { ListedObject } from '../table.ts';
import { parseMetadata } from '../upload/upload-options.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { queryInstant } from '#server/handlers/query-instant.ts';

type ListQuery = NonNullable<ListObjectsData['query']>;

/** The details that a file of a list can have besides. */
export type ListField = 'content_type' | 'original_name' | 'metadata' | 'sha256';

/**
 * Reads the order and the filters of a list.
 *
 * @throws INVALID_SIZE_RANGE, INVALID_DATE_RANGE, INVALID_OBJECT_METADATA
 */
export function readOrder(query: ListQuery): Pick<ListObjects, 'sort' | 'isDescending' | 'filters'> {
  const { sort = 'name', order = 'asc' } = query;
  return {
    // Each change writes a new form of a file, so the instants are the same.
    sort: sort === 'updated' ? 'created' : sort,
    isDescending: order === 'desc',
    filters: filtersOf(query),
  };
}

function filtersOf({ kind, min_size: minBytes, max_size: maxBytes, metadata, ...query }: ListQuery): ListFilters {
  if (minBytes !== undefined && maxBytes !== undefined && minBytes > maxBytes)
    throw new Refusal('INVALID_SIZE_RANGE', { detail: `Got ${minBytes} to ${maxBytes}.` });
  const createdFrom = queryInstant(query.created_from, 'INVALID_DATE_RANGE');
  const createdBefore = queryInstant(query.created_before, 'INVALID_DATE_RANGE');
  if (createdFrom !== undefined && createdBefore !== undefined && createdFrom >= createdBefore)
    throw new Refusal('INVALID_DATE_RANGE', { detail: 'created_before does not come after created_from.' });
  return { kind, minBytes, maxBytes, createdFrom, createdBefore, metadata: parseMetadata(metadata) };
}

/** Reads which details the files of a list have. */
export function readFields({ fields = '' }: ListQuery): readonly ListField[] {
  return fields === '' ? [] : (fields.split(',') as ListField[]);
}

/** Returns the details of a file of a list. */
export function detailsOf(object: ListedObject, fields: readonly ListField[]): Partial<Pick<ObjectEntry, ListField>> {
  const { originalName = null, metadata = {}, sha256 = null } = object.details ?? {};
  const all = {
    content_type: () => servingOf({ key: object.key, disposition: null, originalName }).contentType,
    original_name: () => originalName,
    metadata: () => ({ ...metadata }),
    sha256: () => sha256,
  };
  return Object.fromEntries(fields.map((field) => [field, all[field]()]));
}
