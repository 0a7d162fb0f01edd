import type { Account } from '../account/account.ts';
import type { Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { expiresAtMs, isShort, parseDuration, type Duration } from '../duration.ts';
import { isAtLeast } from '../plan.ts';
import { CdnUnavailable, type Cdn } from '../ports/cdn.ts';
import type { Ids } from '../ports/ids.ts';
import { MetadataUnavailable, type Metadata, type Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { isCacheControl } from './cache-control.ts';
import { formatObjectId, isKey, type ObjectAddress } from './id.ts';
import { isMetadata } from './metadata.ts';
import { isExpired, type Disposition, type StoredObject } from './object.ts';
import { hasHash, withExpiry, withHash } from './rewritten-key.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
  readonly ids: Ids;
  readonly cdn: Cdn;
  publicUrl(object: StoredObject): string | null;
}

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

export type UpdateOutcome =
  | { readonly ok: true; readonly object: StoredObject; readonly isMoved: boolean }
  | { readonly ok: false; readonly code: UpdateFailureCode };

/** A "no" to one file of the request. */
class FileRefused extends Error {
  readonly code: UpdateFailureCode;

  constructor(code: UpdateFailureCode) {
    super(code);
    this.code = code;
  }
}

export interface UpdateObjects {
  readonly account: Account;
  readonly addresses: readonly ObjectAddress[];
  readonly changes: ObjectChanges;
  readonly actor: Actor;
}

/** The changes with their durations read. */
type Changes = Omit<ObjectChanges, 'expire'> & { readonly expire: Duration | null | undefined };

/**
 * Changes each file on its own, in the order private, expire, cache_control, disposition, metadata, each on the result
 * of the one before. One outcome for each address, in their order.
 *
 * @throws NOTHING_TO_UPDATE, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_CACHE_CONTROL, UPGRADE_REQUIRED for the whole request
 */
export async function updateObjects(
  deps: Deps,
  { account, addresses, changes, actor }: UpdateObjects,
): Promise<UpdateOutcome[]> {
  const wanted = readChanges(account, changes);
  const outcomes: UpdateOutcome[] = [];
  // One after another: the same file may be named twice, and the second change rests on the first.
  for (const address of addresses) outcomes.push(await updateOne(deps, account, address, wanted, actor));
  return outcomes;
}

function readChanges({ plan }: Account, changes: ObjectChanges): Changes {
  if (Object.values(changes).every((change) => change === undefined)) throw new Refusal('NOTHING_TO_UPDATE');
  const { expire: text, cacheControl, metadata } = changes;
  const expire = typeof text === 'string' ? parseDuration(text) : text;
  if (typeof text === 'string' && !expire) throw new Refusal('INVALID_OBJECT_EXPIRE');
  if (typeof cacheControl === 'string' && !isCacheControl(cacheControl)) throw new Refusal('INVALID_OBJECT_CACHE_CONTROL');

  const upgrade = (message: string) => new Refusal('UPGRADE_REQUIRED', { message });
  if (expire && isShort(expire) && !isAtLeast(plan, 'enterprise')) throw upgrade('Expiry in less than 7 days needs the Enterprise plan.');
  if (cacheControl === 'no-cache' && !isAtLeast(plan, 'enterprise')) throw upgrade('cache_control "no-cache" needs the Enterprise plan.');
  const isSetting = metadata && Object.values(metadata).some((value) => value !== null);
  if (isSetting && !isAtLeast(plan, 'pro')) throw upgrade('Metadata needs the Pro or Enterprise plan.');
  return { ...changes, expire };
}

async function updateOne(deps: Deps, account: Account, address: ObjectAddress, changes: Changes, actor: Actor): Promise<UpdateOutcome> {
  try {
    const { before, after } = await deps.metadata.atomically((tx) => updateRow(tx, deps.ids, account, address, changes, actor));
    const url = before.space !== 'private' && after.space === 'private' ? deps.publicUrl(before) : null;
    if (url !== null) await dropPublicCopy(deps, url, before, after);
    return { ok: true, object: after, isMoved: before.space !== after.space || before.key !== after.key };
  } catch (error) {
    if (error instanceof FileRefused) return { ok: false, code: error.code };
    if (error instanceof MetadataUnavailable) return { ok: false, code: 'UPDATE_FAILED' };
    throw error;
  }
}

/** @throws VISIBILITY_CHANGE_FAILED with the file public again, as it was, unless another request changed it meanwhile */
async function dropPublicCopy({ metadata, cdn }: Deps, url: string, before: StoredObject, after: StoredObject): Promise<void> {
  try {
    await cdn.purge([url]);
  } catch (error) {
    if (!(error instanceof CdnUnavailable)) throw error;
    await metadata.atomically(async (tx) => {
      const current = await tx.objects.find(after);
      // Whatever another request has changed meanwhile was answered, so it stays.
      const isUntouched = JSON.stringify(current) === JSON.stringify(after) && !(await tx.objects.find(before));
      if (isUntouched) await rewrite(tx, after, before);
    });
    throw new FileRefused('VISIBILITY_CHANGE_FAILED');
  }
}

/** The changes as clients name them. */
const wireNames: Readonly<Record<keyof Changes, string>> = {
  isPrivate: 'private',
  expire: 'expire',
  cacheControl: 'cache_control',
  disposition: 'disposition',
  metadata: 'metadata',
};

async function updateRow(
  tx: Transaction,
  ids: Ids,
  { plan }: Account,
  address: ObjectAddress,
  changes: Changes,
  actor: Actor,
): Promise<{ before: StoredObject; after: StoredObject }> {
  const before = await tx.objects.find(address);
  if (!before || isExpired(before, tx.now)) throw new FileRefused('OBJECT_NOT_FOUND');
  const needsPlan = changes.isPrivate === false || changes.expire !== undefined;
  if (needsPlan && !isAtLeast(plan, 'hobby')) throw new FileRefused('PERMISSION_DENIED');

  const moved = withNewAddress(before, changes, ids, tx.now);
  const changed = withNewHeaders(moved, changes);
  const after = await atFreeAddress(tx, before, { ...changed, createdAt: tx.now }, ids);
  // A legacy key may be so long that there is no room for a hash; a file under an id that is none could not be reached again.
  if (!isKey(after.key)) throw new FileRefused('UPDATE_FAILED');
  await rewrite(tx, before, after);
  const asked = Object.entries(changes).filter(([, change]) => change !== undefined);
  const details = { from: formatObjectId(before), changed: asked.map(([name]) => wireNames[name as keyof Changes]) };
  await recordActivity(tx, { accountId: after.accountId, type: 'object.updated', object: after, details, actor });
  return { before, after };
}

/** Visibility and expiry are part of the id; with them a legacy file moves to the current storage. */
function withNewAddress(object: StoredObject, { isPrivate, expire }: Changes, ids: Ids, now: number): StoredObject {
  let result = object;
  if (isPrivate !== undefined) {
    const key = isPrivate && !hasHash(result.key) ? withHash(result.key, ids.nameHash()) : result.key;
    result = { ...result, space: isPrivate ? 'private' : 'public', key };
  }
  if (expire !== undefined) {
    result = {
      ...result,
      space: result.space === 'legacy' ? 'public' : result.space,
      key: withExpiry(result.key, expire),
      expiresAt: expire && expiresAtMs(expire, now),
    };
  }
  return result;
}

/** @throws OBJECT_IS_LEGACY, INVALID_OBJECT_METADATA */
function withNewHeaders(object: StoredObject, { cacheControl, disposition, metadata }: Changes): StoredObject {
  const isAsked = cacheControl !== undefined || disposition !== undefined || metadata !== undefined;
  if (isAsked && object.space === 'legacy') throw new FileRefused('OBJECT_IS_LEGACY');
  return {
    ...object,
    ...(cacheControl !== undefined && { cacheControl }),
    ...(disposition !== undefined && { disposition }),
    ...(metadata !== undefined && { metadata: changedMetadata(object.metadata, metadata) }),
  };
}

function changedMetadata(current: StoredObject['metadata'], change: Readonly<Record<string, string | null>> | null): StoredObject['metadata'] {
  if (change === null) return {};
  const entries = Object.entries({ ...current, ...change }).filter((entry): entry is [string, string] => entry[1] !== null);
  const result = Object.fromEntries(entries);
  if (!isMetadata(result)) throw new FileRefused('INVALID_OBJECT_METADATA');
  return result;
}

/** An update never overwrites: when the new id is taken, a fresh hash is added. */
async function atFreeAddress(tx: Transaction, before: StoredObject, after: StoredObject, ids: Ids): Promise<StoredObject> {
  if (after.space === before.space && after.key === before.key) return after;
  return (await tx.objects.find(after)) ? { ...after, key: withHash(after.key, ids.nameHash()) } : after;
}

async function rewrite(tx: Transaction, before: StoredObject, after: StoredObject): Promise<void> {
  await tx.objects.remove(before);
  await tx.objects.put(after);
  await tx.accounts.addUsage(after.accountId, { bytes: 0, objects: 0 });
}
