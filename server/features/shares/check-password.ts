import type { Clock } from '#server/domain/ports/clock.ts';
import type { PasswordTries } from './password-tries.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import type { ErrorCode } from '#generated/errors.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isPasswordOf } from './password.ts';
import { sharePassFor, type LockedLink } from './share-pass.ts';

export interface CheckDeps {
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'sign'>;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
  readonly tries: PasswordTries;
}

interface GivenPassword {
  readonly password: string;
  /** The client's address as it is counted. */
  readonly address: string;
  /** Why the link opens for nobody. Undefined if it does. */
  readonly ended: ErrorCode | undefined;
  /** The refusal of a wrong password. */
  readonly wrong: ErrorCode;
}

/** Guesses at unknown links are counted together. */
const unknownLink = 'unknown';

/**
 * Checks the password of a link. Returns a pass that opens the link from then on. It takes the same time for an unknown
 * link, an ended one, and a wrong password, and all of these stay counted as wrong.
 *
 * @param link undefined for an unknown one, which has ended
 * @throws `ended` for such a link, and `wrong` for a wrong password
 * @throws RATE_LIMITED after too many wrong passwords
 * @throws SERVER_OVERLOADED while too many are being checked
 */
export async function passFor(
  { clock, secrets, hashing, scrypt, tries }: CheckDeps,
  link: (LockedLink & { readonly accountId: string }) | undefined,
  { password, address, ended, wrong }: GivenPassword,
): Promise<string> {
  const { id, accountId, passwordHash } = link ?? { id: unknownLink, accountId: unknownLink, passwordHash: null };
  const counted = await tries.begin({ link: id, address }, clock.now());
  const isRight = await hashing
    .run({ account: accountId, of: id, address }, () => isPasswordOf(scrypt, passwordHash, password))
    .catch(async (error: unknown) => {
      await tries.abandon(counted);
      throw error;
    });
  if (ended !== undefined) throw new Refusal(ended);
  if (!isRight) throw new Refusal(wrong);
  await tries.succeed(counted);
  return sharePassFor(secrets, { id, passwordHash }, clock.now());
}
