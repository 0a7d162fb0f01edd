import type { ErrorCode } from '#generated/errors.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** Checks that a person can type a password. @throws INVALID_PASSWORD */
export function requireTypable(password: string | null | undefined): void {
  if (typeof password === 'string' && (!password.isWellFormed() || /\p{Cc}/u.test(password)))
    throw new Refusal('INVALID_PASSWORD');
}

/**
 * Returns a text without the blanks around it.
 *
 * @param code thrown when nothing is left, or half characters are in it
 */
export function lineOf(text: string, code: ErrorCode): string {
  const trimmed = text.trim();
  if (trimmed === '' || !text.isWellFormed()) throw new Refusal(code);
  return trimmed;
}
