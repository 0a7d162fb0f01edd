import type { Requester } from '#server/domain/access/requester.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { keyHolder, recordAudit } from '#server/domain/audit/record-audit.ts';
import { recordShareEnd, recordShareEvent } from '#server/domain/events/share-event.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import type { Share } from './share.ts';

type ShareChange = 'share.created' | 'share.updated' | 'share.revoked';

/** Records in the activity and as an event what a key did with a link. {@link auditShareChange} follows. */
export async function recordShareChange(
  tx: Transaction<'activity' | 'events'>,
  type: ShareChange,
  share: Share,
  { accountId, actor }: Requester,
): Promise<void> {
  // The id stays out of the activity: it opens the link, and keys that may read activity may not see links.
  await recordActivity(tx, { accountId, type, object: share.object, details: {}, actor });
  if (type === 'share.revoked') await recordShareEnd(tx, share, 'revoked', { auth: actor.auth });
  else await recordShareEvent(tx, type, share, { auth: actor.auth });
}

/** Records it in the audit log. Call it last, as {@link recordAudit}. */
export async function auditShareChange(
  tx: Transaction<'audit'>,
  type: ShareChange,
  { object, expiresAt, passwordHash }: Share,
  { accountId, keyId, actor }: Requester,
): Promise<void> {
  const terms = { expires_at: new Date(expiresAt).toISOString(), password: passwordHash !== null };
  await recordAudit(tx, {
    ...{ action: type, by: keyHolder(keyId, actor), accountId, subject: formatObjectId(object) },
    details: type === 'share.revoked' ? {} : terms,
  });
}
