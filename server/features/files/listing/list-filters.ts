import { kindOfKey, type FileKindName } from '../file-kind.ts';
import type { ListedObject } from '../table.ts';

/** The files that a list shows. `undefined` for conditions that it does not have. All of them must hold. */
export interface ListFilters {
  readonly kind: FileKindName | undefined;
  /** Bytes, both inclusive. */
  readonly minBytes: number | undefined;
  readonly maxBytes: number | undefined;
  /** Instants in milliseconds since the epoch: not before the first, and before the second. */
  readonly createdFrom: number | undefined;
  readonly createdBefore: number | undefined;
  /** Values that the file's metadata has. */
  readonly metadata: Readonly<Record<string, string>> | undefined;
}

/** Shows every file. */
export const noFilters: ListFilters = {
  kind: undefined,
  minBytes: undefined,
  maxBytes: undefined,
  createdFrom: undefined,
  createdBefore: undefined,
  metadata: undefined,
};

/** All files in the order of their names. */
export const plainList = { sort: 'name', isDescending: false, filters: noFilters } as const;

/** Whether a list shows a file. For a condition on metadata, the file must have been read with its details. */
export function isShown(object: ListedObject, filters: ListFilters): boolean {
  const { kind, minBytes, maxBytes, createdFrom, createdBefore, metadata } = filters;
  const { sizeBytes, createdAt, details } = object;
  return (
    (minBytes === undefined || sizeBytes >= minBytes) &&
    (maxBytes === undefined || sizeBytes <= maxBytes) &&
    (createdFrom === undefined || createdAt >= createdFrom) &&
    (createdBefore === undefined || createdAt < createdBefore) &&
    (kind === undefined || kindOfKey(object.key) === kind) &&
    Object.entries(metadata ?? {}).every(([name, value]) => details?.metadata[name] === value)
  );
}
