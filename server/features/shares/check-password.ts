import type { Clock } from '#server/domain/ports/clock.ts';
import type { PasswordTries } from '#server/domain/ports/password-tries.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import { isPasswordOf } from './password.ts';

export interface CheckDeps {
  readonly clock: Clock;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
  readonly tries: PasswordTries;
}

interface GivenPassword {
  /** Names the link. */
  readonly link: string;
  /** The account of the link. All unknown links share one name. */
  readonly account: string;
  /** The client's address as it is counted. */
  readonly address: string;
  /** Null for a link that is unknown or has no password. */
  readonly passwordHash: string | null;
  readonly password: string;
}

interface CheckedPassword {
  readonly isRight: boolean;
  /** Counts the try as right. Without it, the try stays counted as wrong. */
  succeed(): Promise<void>;
}

/**
 * Checks a password. It takes the same time whatever comes out.
 *
 * @throws RATE_LIMITED after too many wrong passwords
 * @throws SERVER_OVERLOADED while too many are being checked
 */
export async function checkPassword(
  { clock, hashing, scrypt, tries }: CheckDeps,
  { link, account, address, passwordHash, password }: GivenPassword,
): Promise<CheckedPassword> {
  const counted = await tries.begin({ link, address }, clock.now());
  const isRight = await hashing
    .run({ account, of: link, address }, () => isPasswordOf(scrypt, passwordHash, password))
    .catch(async (error: unknown) => {
      await tries.abandon(counted);
      throw error;
    });
  return { isRight, succeed: () => tries.succeed(counted) };
}
