import type { Requester } from '#server/domain/access/requester.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findOwnShare } from './share-id.ts';
import { auditShareChange, recordShareChange } from './record-share-change.ts';
import { fileOf, shareTransitions, stateOf } from './share.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'audit' | 'events' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

interface RevokeShare extends Requester {
  readonly shareId: string;
}

/**
 * Ends a link at once. Its file stays.
 *
 * @throws SHARE_NOT_FOUND when it is unknown, another account's, or has ended for good
 * @throws PREFIX_NOT_ALLOWED when its file is outside the prefixes
 */
export async function revokeShare({ metadata, secrets }: Deps, command: RevokeShare): Promise<void> {
  await metadata.atomically(
    async (tx) => {
      const share = await findOwnShare(tx, secrets, command);
      const state = stateOf(share, await fileOf(tx.objects, share), tx.now);
      if (!shareTransitions[state].revoke) throw new Refusal('SHARE_NOT_FOUND');
      await tx.shares.revoke(share.idHash, tx.now);
      await recordShareChange(tx, 'share.revoked', share, command);
      await auditShareChange(tx, 'share.revoked', share, command);
    },
    { account: command.accountId },
  );
}
