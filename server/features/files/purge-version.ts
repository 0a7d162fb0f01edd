import { ruleActor, type Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { together } from '#server/domain/in-sets.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import { recordFileEvent } from './file-event.ts';
import type { TrashedVersion } from './trash-table.ts';

type Tables = 'accounts' | 'activity' | 'contents' | 'events' | 'trash';

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
  const details = { size: version.sizeBytes };
  await recordActivity(tx, { accountId, type: 'object.purged', object: version, details, actor });
  await recordFileEvent(tx, 'object.purged', version, { actor });
  return true;
}

/** Purges the oldest versions of a key beyond the number that its rule keeps, at most `most`. Returns how many. */
export async function purgeBeyond(
  tx: Transaction<Tables>,
  address: ObjectAddress,
  rule: Pick<Rule, 'keepVersions'> | undefined,
  most: number,
): Promise<number> {
  if (!rule || rule.keepVersions === null) return 0;
  const beyond = await tx.trash.beyond(address, rule.keepVersions, tx.now, most);
  await together(beyond, (version) => purgeVersion(tx, version, ruleActor));
  return beyond.length;
}
