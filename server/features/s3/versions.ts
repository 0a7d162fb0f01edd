import type { ObjectAddress } from '#server/domain/object-id.ts';
import { isExpired, type StoredObject } from '#server/features/files/object.ts';
import type { TrashedObject } from '#server/features/files/trash-table.ts';
import type { Reads, Transaction } from '#server/domain/ports/metadata.ts';
import { ruleFor } from '#server/features/rules/rule.ts';

/** The version of a file that was written where nothing is kept, and another name of the current one. */
export const currentVersion = 'null';

const markerEnd = '-d';

/** Returns the version id of the delete marker that a deleted file left. Both are one row. */
export function markerIdOf({ versionId }: Pick<TrashedObject, 'versionId'>): string {
  return versionId + markerEnd;
}

/** Returns the version that a delete marker stands on. Undefined for the id of a version. */
export function versionOfMarker(versionId: string): string | undefined {
  return versionId.endsWith(markerEnd) ? versionId.slice(0, -markerEnd.length) : undefined;
}

/** One version of a key: the current file, one in the trash, or the delete marker of one. */
export type S3Version =
  | { readonly kind: 'current'; readonly object: StoredObject }
  | { readonly kind: 'kept'; readonly object: TrashedObject }
  | { readonly kind: 'marker'; readonly object: TrashedObject };

type Finders = Pick<Reads<'objects' | 'trash'>['read'], 'objects' | 'trash'> | Transaction<'objects' | 'trash'>;

/** Finds a version of a key. Undefined if there is none. */
export async function findS3Version(
  { objects, trash }: Finders,
  address: ObjectAddress,
  versionId: string,
  now: number,
): Promise<S3Version | undefined> {
  const current = await objects.find(address);
  if (current && !isExpired(current, now) && (versionId === currentVersion || versionId === current.versionId))
    return { kind: 'current', object: current };
  const marked = versionOfMarker(versionId);
  const object = await trash.find(address.accountId, marked ?? versionId);
  if (!object || object.space !== address.space || object.key !== address.key || object.purgeAt <= now)
    return undefined;
  if (marked === undefined) return { kind: 'kept', object };
  return object.reason === 'deleted' ? { kind: 'marker', object } : undefined;
}

/** Returns the delete marker that is the newest version of a key without a file. */
export async function currentMarker(
  { trash }: Pick<Finders, 'trash'>,
  address: ObjectAddress,
  now: number,
): Promise<TrashedObject | undefined> {
  const newest = await trash.newest(address);
  return newest?.reason === 'deleted' && newest.purgeAt > now ? newest : undefined;
}

/** Returns a function that tells whether the trash keeps what is deleted or replaced at a key. */
export async function keepingKeys(metadata: Reads<'rules'>, accountId: string): Promise<(key: string) => boolean> {
  const rules = await metadata.read.rules.listOf(accountId);
  return (key) => (ruleFor(rules, key)?.keepDeletedDays ?? null) !== null;
}
