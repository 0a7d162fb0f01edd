import type { Account } from '../account/account.ts';
import { expiresAtMs, type Duration } from '../duration.ts';
import type { Plan } from '../plan.ts';
import type { Ids } from '../ports/ids.ts';
import { Refusal } from '../refusal.ts';
import type { ClientProperties } from './client-properties.ts';
import { markOf, withEnding } from './key.ts';
import { isMetadata } from '../object-metadata.ts';
import type { Disposition, StoredObject } from './object.ts';
import { visibilityAfter, type VisibilityEvent } from './visibility.ts';
import { readExpire, requireCacheControl, requirePlan } from '../file-options.ts';

/** What to change; undefined leaves it as it is. */
export interface ObjectChanges {
  readonly isPrivate: boolean | undefined;
  /** Counted from now; null keeps the file for good. */
  readonly expire: string | null | undefined;
  readonly cacheControl: string | null | undefined;
  readonly disposition: Disposition | null | undefined;
  /** A null value removes its key; null itself removes all. */
  readonly metadata: Readonly<Record<string, string | null>> | null | undefined;
}

/** Why one file could not be changed, while the others could. */
export type UpdateFailureCode =
  | 'OBJECT_NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'OBJECT_IS_LEGACY'
  | 'INVALID_OBJECT_METADATA'
  | 'VISIBILITY_CHANGE_FAILED'
  | 'UPDATE_FAILED';

/** A "no" to one file of the request. */
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
 * Reads the wishes of an update, which hold for all its files.
 *
 * @throws NOTHING_TO_UPDATE, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_CACHE_CONTROL, UPGRADE_REQUIRED
 */
export function readChanges({ plan }: Account, wishes: ObjectChanges): Changes {
  const changes = { ...wishes, metadata: namesKeys(wishes.metadata) ? wishes.metadata : undefined };
  if (Object.values(changes).every((change) => change === undefined)) throw new Refusal('NOTHING_TO_UPDATE');
  const { expire: text, cacheControl, metadata } = changes;
  const expire = readExpire(text);
  requireCacheControl(cacheControl);
  requirePlan(plan, { expire, cacheControl, metadata });
  return { ...changes, expire };
}

/** Metadata without a key in it asks for nothing; null removes all. */
function namesKeys(metadata: ObjectChanges['metadata']): boolean {
  return metadata !== undefined && (metadata === null || Object.keys(metadata).length > 0);
}

/** The changes as clients name them. */
const wireNames: Readonly<Record<keyof Changes, string>> = {
  isPrivate: 'private',
  expire: 'expire',
  cacheControl: 'cache_control',
  disposition: 'disposition',
  metadata: 'metadata',
};

/** What is asked for, as clients name it. */
export function namesOf(changes: Changes): string[] {
  return Object.entries(changes)
    .filter(([, change]) => change !== undefined)
    .map(([name]) => wireNames[name as keyof Changes]);
}

/** What the change of a file rests on. */
interface ChangeContext {
  readonly plan: Plan;
  readonly ids: Ids;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The file as it is after the changes. Its key may be taken.
 *
 * @throws {FileRefused} PERMISSION_DENIED, OBJECT_IS_LEGACY, INVALID_OBJECT_METADATA
 */
export function changedObject(object: StoredObject, changes: Changes, context: ChangeContext): StoredObject {
  return { ...withNewHeaders(withNewAddress(object, changes, context), changes), createdAt: context.now };
}

/** Visibility and expiry are part of the id; with them a legacy file moves to the current storage. */
function withNewAddress(object: StoredObject, changes: Changes, { plan, ids, now }: ChangeContext): StoredObject {
  const { isPrivate, expire } = changes;
  const space = visibilityAfter(object.space, eventsOf(changes), plan);
  if (space === undefined) throw new FileRefused('PERMISSION_DENIED');
  const placed = { ...object, space };
  const hashed = isPrivate && object.ending.hash === null ? withEnding(placed, { hash: ids.nameHash() }) : placed;
  if (expire === undefined) return hashed;
  return { ...withEnding(hashed, { mark: markOf(expire) }), expiresAt: expire && expiresAtMs(expire, now) };
}

function eventsOf({ isPrivate, expire }: Changes): VisibilityEvent[] {
  return [
    ...(isPrivate === undefined ? [] : [`private: ${isPrivate}` as const]),
    ...(expire === undefined ? [] : ['expire' as const]),
  ];
}

/** Headers of a legacy file cannot change before it is moved. */
function withNewHeaders(object: StoredObject, { cacheControl, disposition, metadata }: Changes): StoredObject {
  const isAsked = cacheControl !== undefined || disposition !== undefined || metadata !== undefined;
  if (isAsked && object.space === 'legacy') throw new FileRefused('OBJECT_IS_LEGACY');
  return {
    ...object,
    ...(cacheControl !== undefined && { cacheControl }),
    ...(disposition !== undefined && { disposition }),
    ...(metadata !== undefined && { metadata: changedMetadata(object.metadata, metadata) }),
    clientProperties:
      object.clientProperties && propertiesAfter(object.clientProperties, { cacheControl, disposition, metadata }),
  };
}

/** What the client set gives way to what is set here in its place. */
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
