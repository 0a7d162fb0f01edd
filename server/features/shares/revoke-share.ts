import type { Prefix } from '#server/domain/prefixes.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { keyHolder, recordAudit } from '#server/domain/audit/record-audit.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findOwnShare } from './share-id.ts';
import { recordShareEnd } from '#server/domain/events/share-event.ts';
import { fileOf, shareTransitions, stateOf } from './share.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'audit' | 'events' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

interface RevokeShare {
  readonly accountId: string;
  readonly shareId: string;
  /** The prefixes that the key is restricted to. Null for none. */
  readonly prefixes: readonly Prefix[] | null;
  readonly actor: Actor;
  /** The key that was sent. */
  readonly keyId: string;
}

/**
 * Ends a link at once. Its file stays.
 *
 * @throws SHARE_NOT_FOUND when it is unknown, another account's, or has ended for good
 * @throws PREFIX_NOT_ALLOWED when its file is outside the prefixes
 */
export async function revokeShare(
  { metadata, secrets }: Deps,
  { accountId, shareId, prefixes, actor, keyId }: RevokeShare,
): Promise<void> {
  await metadata.atomically(
    async (tx) => {
      const share = await findOwnShare(tx, secrets, { accountId, shareId, prefixes });
      const state = stateOf(share, await fileOf(tx.objects, share), tx.now);
      if (!shareTransitions[state].revoke) throw new Refusal('SHARE_NOT_FOUND');
      await tx.shares.revoke(share.idHash, tx.now);
      await recordActivity(tx, { accountId, type: 'share.revoked', object: share.object, details: {}, actor });
      await recordShareEnd(tx, share, 'revoked', { auth: actor.auth });
      const subject = formatObjectId(share.object);
      await recordAudit(tx, { action: 'share.revoked', by: keyHolder(keyId, actor), accountId, subject, details: {} });
    },
    { account: accountId },
  );
}
