import type { Account } from '../account/account.ts';
import type { Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { keyHolder, recordAudit } from '../audit/record-audit.ts';
import { maxActiveShares } from '../limits.ts';
import { formatObjectId, type ObjectAddress } from '../object-id.ts';
import { objectInfo } from '../objects/object-info.ts';
import { findLive } from '../objects/object.ts';
import { isAtLeast, type Plan } from '../plan.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Scrypt } from '../ports/scrypt.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import type { HashQueue } from './hash-queue.ts';
import { hashPassword } from './password.ts';
import { storedShareId } from './share-id.ts';
import { recordShareEvent } from '../events/share-event.ts';
import { endOf, type OwnedShare, type Share, type ShareWords } from './share.ts';

interface Deps {
  readonly metadata: Metadata<'activity' | 'audit' | 'events' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'seal'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
}

interface CreateShare {
  readonly account: Account;
  readonly address: ObjectAddress;
  readonly lifetimeMs: number;
  /** Null means no limit. */
  readonly maxDownloads: number | null;
  readonly password: string | undefined;
  readonly hasLanding: boolean;
  readonly words: ShareWords;
  readonly actor: Actor;
  /** The key that was sent. */
  readonly keyId: string;
}

/**
 * Creates a link to a file.
 *
 * @throws UPGRADE_REQUIRED for a password below Pro
 * @throws OBJECT_NOT_FOUND
 * @throws TOO_MANY_SHARES when 1000 links of the account are active
 * @throws RATE_LIMITED while too many passwords are being hashed
 */
export async function createShare(
  deps: Deps,
  { account, address, lifetimeMs, maxDownloads, password, hasLanding, words, actor, keyId }: CreateShare,
): Promise<OwnedShare> {
  const { metadata, secrets, ids, hashing, scrypt } = deps;
  if (password !== undefined) requirePasswordPlan(account.plan);
  // Hashing is expensive, so a missing file is rejected before it. The transaction checks again.
  if (password !== undefined) await objectInfo(deps, address);
  const passwordHash = password === undefined ? null : await hashForLink({ hashing, scrypt }, account.id, password);
  return metadata.atomically(
    async (tx) => {
      const object = await findLive(tx.objects, address, tx.now);
      if (!object) throw new Refusal('OBJECT_NOT_FOUND');
      if ((await tx.shares.countActive(account.id, tx.now)) >= maxActiveShares) throw new Refusal('TOO_MANY_SHARES');
      const id = ids.opaqueId();
      const share: Share = {
        ...storedShareId(secrets, id),
        object: address,
        generation: object.generation,
        createdAt: tx.now,
        expiresAt: tx.now + lifetimeMs,
        maxDownloads,
        remainingDownloads: maxDownloads,
        passwordHash,
        hasLanding,
        ...words,
        downloads: 0,
        revokedAt: null,
      };
      await tx.shares.add(share);
      // The id stays out of the activity: it opens the link, and keys that may read activity may not see links.
      await recordActivity(tx, { accountId: account.id, type: 'share.created', object: address, details: {}, actor });
      await recordShareEvent(tx, 'share.created', share, { auth: actor.auth });
      await recordAudit(tx, {
        action: 'share.created',
        by: keyHolder(keyId, actor),
        accountId: account.id,
        subject: formatObjectId(address),
        details: { expires_at: new Date(share.expiresAt).toISOString(), password: passwordHash !== null },
      });
      return { id, share, endsAt: endOf(share, object) };
    },
    { account: account.id },
  );
}

/** @throws UPGRADE_REQUIRED */
export function requirePasswordPlan(plan: Plan): void {
  if (isAtLeast(plan, 'pro')) return;
  throw new Refusal('UPGRADE_REQUIRED', {
    message: 'A password on a share link needs the Pro or Enterprise plan. Upgrade, or leave the password out.',
  });
}

/** Hashes the password of a link. @throws RATE_LIMITED while too many passwords are being hashed */
export function hashForLink(
  { hashing, scrypt }: Pick<Deps, 'hashing' | 'scrypt'>,
  accountId: string,
  password: string,
): Promise<string> {
  return hashing.run({ account: accountId, of: 'new links' }, () => hashPassword(scrypt, password));
}
