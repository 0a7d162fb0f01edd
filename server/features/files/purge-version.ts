import { ruleActor, type Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { together } from '#server/domain/in-sets.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import { recordFileEvent } from './file-event.ts';
import { nameDetail } from './name-detail.ts';
import type { TrashedObject, TrashedVersion } from './trash-table.ts';

type Tables = 'accounts' | 'activity' | 'contents' | 'events' | 'trash';

/** Whether the request that deleted a version still keeps it. */
function isKeptByRequest({ requestedUntil }: Pick<TrashedObject, 'requestedUntil'>, now: number): boolean {
  return requestedUntil !== null && requestedUntil > now;
}

/**
 * Checks that a requester may purge a version before its time. What a request keeps is for people to restore, so a key
 * that only writes may not purge it.
 *
 * @param mayPurgeKept see `mayPurgeKept()`
 * @throws VERSION_KEPT
 */
export function requirePurgeable(
  version: Pick<TrashedObject, 'requestedUntil'>,
  now: number,
  mayPurgeKept: boolean,
): void {
  if (!mayPurgeKept && isKeptByRequest(version, now)) throw new Refusal('VERSION_KEPT');
}

/** Removes a version, and frees its bytes. Does nothing if it is gone. */
export async function purgeVersion(
  tx: Transaction<Tables>,
  { accountId, versionId }: TrashedVersion,
  actor: Actor,
): Promise<true> {
  const version = await tx.trash.remove(accountId, versionId);
  if (!version) return true;
  await tx.contents.release(version.contentId);
  await tx.accounts.addUsage(accountId, { bytes: -version.sizeBytes, objects: 0 });
  const details = { size: version.sizeBytes, ...nameDetail(version) };
  await recordActivity(tx, { accountId, type: 'object.purged', object: version, details, actor });
  await recordFileEvent(tx, 'object.purged', version, { actor });
  return true;
}

/**
 * Gives up the oldest versions of a key beyond the number that its rule keeps, at most `most`. They are purged,
 * unless a request keeps them longer. Returns how many.
 */
export async function purgeBeyond(
  tx: Transaction<Tables>,
  address: ObjectAddress,
  rule: Pick<Rule, 'keepVersions'> | undefined,
  most: number,
): Promise<number> {
  if (!rule || rule.keepVersions === null) return 0;
  const beyond = await tx.trash.beyond(address, rule.keepVersions, tx.now, most);
  await together(beyond, async (version) =>
    isKeptByRequest(version, tx.now)
      ? tx.trash.endRule(version.accountId, version.versionId)
      : purgeVersion(tx, version, ruleActor),
  );
  return beyond.length;
}
