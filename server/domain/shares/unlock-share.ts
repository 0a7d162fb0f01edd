import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Scrypt } from '../ports/scrypt.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { findShare } from './find-share.ts';
import type { HashQueue } from './hash-queue.ts';
import type { PasswordTries } from '../ports/password-tries.ts';
import { isPasswordOf } from './password.ts';
import { sharePassFor } from './share-pass.ts';
import { shareRefusals } from './share.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'sign' | 'finders'>;
  readonly clock: Clock;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
  readonly tries: PasswordTries;
}

interface UnlockShare {
  readonly shareId: string;
  readonly password: string;
  /** The client's address as it is counted. */
  readonly address: string;
}

/** Guesses at unknown links are counted together. */
const unknownLink = 'unknown';

/**
 * Checks the password of a link. Returns a pass that opens the link from then on, or undefined for a link without a
 * password. A try takes the same time for an unknown link, an ended link and a wrong password.
 *
 * @throws SHARE_PASSWORD_REQUIRED when it is wrong
 * @throws SHARE_NOT_FOUND, SHARE_EXPIRED, SHARE_EXHAUSTED
 * @throws RATE_LIMITED after too many wrong passwords, or while too many are being checked
 */
export async function unlockShare(
  deps: Deps,
  { shareId, password, address }: UnlockShare,
): Promise<string | undefined> {
  const found = await findShare(deps, shareId);
  const refusal = found ? shareRefusals[found.state] : 'SHARE_NOT_FOUND';
  if (found && refusal === undefined && found.share.passwordHash === null) return undefined;
  const one = { link: found ? shareId : unknownLink, address };
  const counted = await deps.tries.begin(one, deps.clock.now());
  const lane = { account: found?.share.object.accountId ?? unknownLink, of: one.link };
  const isRight = await deps.hashing
    .run(lane, () => isPasswordOf(deps.scrypt, found?.share.passwordHash ?? null, password))
    .catch(async (error: unknown) => {
      await deps.tries.abandon(counted);
      throw error;
    });
  if (!found || refusal !== undefined) throw new Refusal(refusal ?? 'SHARE_NOT_FOUND');
  if (!isRight) throw new Refusal('SHARE_PASSWORD_REQUIRED');
  await deps.tries.succeed(counted);
  return sharePassFor(deps.secrets, { id: shareId, passwordHash: found.share.passwordHash }, deps.clock.now());
}
