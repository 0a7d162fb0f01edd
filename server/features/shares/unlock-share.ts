import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { passFor, type CheckDeps } from './check-password.ts';
import { findShare } from './find-share.ts';
import { shareRefusals } from './share.ts';

interface Deps extends CheckDeps {
  readonly metadata: Reads<'accounts' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'sign' | 'finders'>;
}

interface UnlockShare {
  readonly shareId: string;
  readonly password: string;
  /** The client's address as it is counted. */
  readonly address: string;
}

/**
 * Refuses a link that no form opens, before one is sent. It takes the time of a try, except for an ended link without a
 * password. An exhausted link passes, because a visitor may have bytes left.
 *
 * @throws the errors of {@link unlockShare}
 */
export async function requireUnlockable(deps: Deps, link: Omit<UnlockShare, 'password'>): Promise<void> {
  const found = await findShare(deps, link.shareId);
  if (found?.state === 'active' || found?.state === 'exhausted') return;
  await unlockShare(deps, { ...link, password: '' });
}

/**
 * Checks the password of a link. Returns a pass that opens the link from then on, or undefined for a link without a
 * password. A try takes the same time for an unknown link, an ended link with a password, and a wrong password.
 *
 * @throws SHARE_PASSWORD_REQUIRED when it is wrong
 * @throws SHARE_NOT_FOUND, SHARE_EXPIRED, SHARE_EXHAUSTED
 * @throws RATE_LIMITED after too many wrong passwords
 * @throws SERVER_OVERLOADED while too many are being checked
 */
export async function unlockShare(
  deps: Deps,
  { shareId, password, address }: UnlockShare,
): Promise<string | undefined> {
  const found = await findShare(deps, shareId);
  const ended = found ? shareRefusals[found.state] : 'SHARE_NOT_FOUND';
  if (found && found.share.passwordHash === null) {
    // No password is tried, so none is counted.
    if (ended !== undefined) throw new Refusal(ended);
    return undefined;
  }
  const lock = found && {
    id: shareId,
    accountId: found.share.object.accountId,
    passwordHash: found.share.passwordHash,
  };
  return passFor(deps, lock, { password, address, ended, wrong: 'SHARE_PASSWORD_REQUIRED' });
}
