import type { Requester } from '#server/domain/access/requester.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { hashForLink, requirePasswordPlan, requireOneMoreShare } from './create-share.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import { recordShareEnd } from '#server/domain/events/share-event.ts';
import { auditShareChange, recordShareChange } from './record-share-change.ts';
import { findOwnShare } from './share-id.ts';
import { fileOf, endOf, shareTransitions, stateOf, type OwnedShare, type Share } from './share.ts';

interface Deps {
  readonly metadata: Metadata<'activity' | 'apiKeys' | 'audit' | 'events' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'finders'>;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
}

/** The changes of a link. `undefined` for what stays. */
export interface ShareChanges {
  /** Counted from now. */
  readonly lifetimeMs: number | undefined;
  /** Null removes the cap. */
  readonly maxDownloads: number | null | undefined;
  /** Null removes the password. */
  readonly password: string | null | undefined;
  readonly hasLanding: boolean | undefined;
  readonly title: string | null | undefined;
  readonly message: string | null | undefined;
}

interface UpdateShare extends Requester {
  readonly shareId: string;
  readonly changes: ShareChanges;
}

/**
 * Changes a link that has not ended for good. Its address stays.
 *
 * @throws NOTHING_TO_UPDATE
 * @throws UPGRADE_REQUIRED for a password below Pro
 * @throws SHARE_NOT_FOUND when it is unknown, another account's, or has ended for good
 * @throws PREFIX_NOT_ALLOWED when its file is outside the prefixes
 * @throws TOO_MANY_SHARES if it would be active again beside 1000 others
 * @throws SERVER_OVERLOADED while too many passwords are being hashed
 */
export async function updateShare(deps: Deps, command: UpdateShare): Promise<OwnedShare> {
  const { account, changes } = command;
  if (Object.values(changes).every((value) => value === undefined)) throw new Refusal('NOTHING_TO_UPDATE');
  const { password } = changes;
  if (typeof password === 'string') requirePasswordPlan(account.plan, 'share link');
  const passwordHash = typeof password === 'string' ? await hashForLink(deps, account.id, password) : password;
  return deps.metadata.atomically((tx) => update(tx, deps.secrets, command, passwordHash), { account: account.id });
}

async function update(
  tx: Transaction<'activity' | 'apiKeys' | 'audit' | 'events' | 'objects' | 'shares'>,
  secrets: Deps['secrets'],
  command: UpdateShare,
  passwordHash: string | null | undefined,
): Promise<OwnedShare> {
  const { accountId, shareId, changes, actor, keyId } = command;
  const share = await findOwnShare(tx, secrets, command);
  const object = await fileOf(tx.objects, share);
  const state = stateOf(share, object, tx.now);
  if (!shareTransitions[state]['raise the cap']) throw new Refusal('SHARE_NOT_FOUND');
  const changed = changedShare(share, changes, passwordHash, tx.now);
  if (state === 'exhausted' && changed.remainingDownloads !== 0) await requireOneMoreShare(tx, accountId, keyId);
  await tx.shares.change(changed);
  await recordShareChange(tx, 'share.updated', changed, command);
  if (changed.remainingDownloads === 0 && share.remainingDownloads !== 0)
    await recordShareEnd(tx, changed, 'spent', { auth: actor.auth });
  await auditShareChange(tx, 'share.updated', changed, command);
  return { id: shareId, share: changed, fileName: object?.originalName ?? null, endsAt: endOf(changed, object) };
}

function changedShare(
  share: Share,
  { lifetimeMs, maxDownloads = share.maxDownloads, hasLanding, title, message }: ShareChanges,
  passwordHash: string | null | undefined,
  now: number,
): Share {
  // A link that had no cap may have had more downloads than its new cap allows.
  const used = Math.max(share.downloads, (share.maxDownloads ?? 0) - (share.remainingDownloads ?? 0));
  return {
    ...share,
    maxDownloads,
    remainingDownloads: maxDownloads === null ? null : Math.max(0, maxDownloads - used),
    ...(lifetimeMs !== undefined && { expiresAt: now + lifetimeMs }),
    ...(passwordHash !== undefined && { passwordHash }),
    ...(hasLanding !== undefined && { hasLanding }),
    ...(title !== undefined && { title }),
    ...(message !== undefined && { message }),
  };
}
