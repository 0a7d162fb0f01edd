import type { Account } from '#server/domain/account/account.ts';
import { expiresAtMs, type Duration } from '#server/domain/duration.ts';
import { readExpire, requireCacheControl, requirePlanFor } from '#server/domain/file-options.ts';
import { isMetadata } from '#server/domain/object-metadata.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { markOf, withHash, withSuffix } from '../key.ts';
import type { ClientProperties, Disposition, StoredObject } from '../object.ts';
import { visibilityAfter, type VisibilityEvent } from '../visibility.ts';

/** The changes of an update. Undefined leaves a field as it is. */
export interface ObjectChanges {
  readonly isPrivate: boolean | undefined;
  /** A lifetime that starts now. A number is in days. Null keeps the file for good. */
  readonly expire: string | number | null | undefined;
  readonly cacheControl: string | null | undefined;
  readonly disposition: Disposition | null | undefined;
  /** A null value removes its key. Null itself removes all keys. */
  readonly metadata: Readonly<Record<string, string | null>> | null | undefined;
  /** The name that people see. Null removes it. */
  readonly originalName: string | null | undefined;
}

/** The reason why one file of an update was not changed. */
export type UpdateFailureCode =
  | 'OBJECT_NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'OBJECT_IS_LEGACY'
  | 'INVALID_OBJECT_METADATA'
  | 'VISIBILITY_CHANGE_FAILED'
  | 'UPDATE_FAILED';

/** The refusal of one file of the request. */
export class FileRefused extends Error {
  readonly code: UpdateFailureCode;

  constructor(code: UpdateFailureCode) {
    super(code);
    this.code = code;
  }
}

/** The changes with their durations read. */
export type Changes = Omit<ObjectChanges, 'expire'> & { readonly expire: Duration | null | undefined };

/**
 * Reads the changes of an update, which are the same for all its files.
 *
 * @throws NOTHING_TO_UPDATE, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_CACHE_CONTROL, UPGRADE_REQUIRED
 */
export function readChanges({ plan }: Account, given: ObjectChanges): Changes {
  const changes = { ...given, metadata: namesKeys(given.metadata) ? given.metadata : undefined };
  if (Object.values(changes).every((change) => change === undefined)) throw new Refusal('NOTHING_TO_UPDATE');
  const { cacheControl, metadata } = changes;
  const expire = readExpire(changes.expire);
  requireCacheControl(cacheControl);
  requirePlanFor(plan, { expire, cacheControl, metadata });
  return { ...changes, expire };
}

/** Whether the metadata changes anything. Metadata without keys changes nothing, and null removes all keys. */
function namesKeys(metadata: ObjectChanges['metadata']): boolean {
  return metadata !== undefined && (metadata === null || Object.keys(metadata).length > 0);
}

/** The fields of an update, by the names that clients use. */
const wireNames: Readonly<Record<keyof Changes, string>> = {
  isPrivate: 'private',
  expire: 'expire',
  cacheControl: 'cache_control',
  disposition: 'disposition',
  metadata: 'metadata',
  originalName: 'original_name',
};

/** Returns the fields that an update changes, by the names that clients use. */
export function namesOf(changes: Changes): string[] {
  return Object.entries(changes)
    .filter(([, change]) => change !== undefined)
    .map(([name]) => wireNames[name as keyof Changes]);
}

/** Returns the types of the events of an update: one for each kind of change, in the order in which they apply. */
export function eventTypesOf({ isPrivate, expire, ...others }: Changes) {
  return [
    ...(isPrivate === undefined ? [] : (['object.visibility_changed'] as const)),
    ...(expire === undefined ? [] : (['object.expiry_changed'] as const)),
    ...(Object.values(others).every((change) => change === undefined) ? [] : (['object.updated'] as const)),
  ];
}

interface ChangeContext {
  readonly plan: Plan;
  readonly ids: Ids;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the file as the changes make it. Another file may have its key.
 *
 * @throws {FileRefused} PERMISSION_DENIED, OBJECT_IS_LEGACY, INVALID_OBJECT_METADATA
 */
export function changedObject(object: StoredObject, changes: Changes, context: ChangeContext): StoredObject {
  const placed = withNewAddress(object, changes, context);
  if (!placed) throw new FileRefused('PERMISSION_DENIED');
  return { ...withNewHeaders(placed, changes), createdAt: context.now };
}

/**
 * Returns the file with its new visibility and expiry, which are part of the id. Changing them moves a legacy file to
 * the current storage. Undefined if the plan does not allow that.
 */
export function withNewAddress(
  object: StoredObject,
  changes: Changes,
  { plan, ids, now }: ChangeContext,
): StoredObject | undefined {
  const { isPrivate, expire } = changes;
  const space = visibilityAfter(object.space, eventsOf(changes), plan);
  if (space === undefined) return undefined;
  const placed = { ...object, space };
  const hashed = isPrivate ? withHash(placed, ids) : placed;
  if (expire === undefined) return hashed;
  return { ...withSuffix(hashed, { mark: markOf(expire) }), expiresAt: expire && expiresAtMs(expire, now) };
}

function eventsOf({ isPrivate, expire }: Changes): VisibilityEvent[] {
  return [
    ...(isPrivate === undefined ? [] : [`private: ${isPrivate}` as const]),
    ...(expire === undefined ? [] : ['expire' as const]),
  ];
}

/** Returns the file with its new headers and name. Those of a legacy file cannot change before it is moved. */
function withNewHeaders(
  object: StoredObject,
  { cacheControl, disposition, metadata, originalName }: Changes,
): StoredObject {
  const isUnchanged = [cacheControl, disposition, metadata, originalName].every((change) => change === undefined);
  if (!isUnchanged && object.space === 'legacy') throw new FileRefused('OBJECT_IS_LEGACY');
  return {
    ...object,
    ...(cacheControl !== undefined && { cacheControl }),
    ...(disposition !== undefined && { disposition }),
    ...(metadata !== undefined && { metadata: changedMetadata(object.metadata, metadata) }),
    ...(originalName !== undefined && { originalName }),
    clientProperties:
      object.clientProperties && propertiesAfter(object.clientProperties, { cacheControl, disposition, metadata }),
  };
}

/** Drops the properties that the client set through its own protocol and that the update sets too. */
function propertiesAfter(
  properties: ClientProperties,
  { cacheControl, disposition, metadata }: Pick<Changes, 'cacheControl' | 'disposition' | 'metadata'>,
): ClientProperties {
  const { cacheControl: own, contentDisposition, metadata: rest, ...others } = properties;
  const kept =
    metadata === null
      ? []
      : Object.entries(rest ?? {}).filter(([name]) => metadata === undefined || !Object.hasOwn(metadata, name));
  return {
    ...others,
    ...(cacheControl === undefined && own !== undefined && { cacheControl: own }),
    ...(disposition === undefined && contentDisposition !== undefined && { contentDisposition }),
    ...(kept.length > 0 && { metadata: Object.fromEntries(kept) }),
  };
}

function changedMetadata(
  current: StoredObject['metadata'],
  change: Readonly<Record<string, string | null>> | null,
): StoredObject['metadata'] {
  if (change === null) return {};
  const entries = Object.entries({ ...current, ...change }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const result = Object.fromEntries(entries);
  if (!isMetadata(result)) throw new FileRefused('INVALID_OBJECT_METADATA');
  return result;
}
