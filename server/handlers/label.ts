import { isLabel } from '#server/domain/account/label.ts';
import { Refusal } from '#server/domain/refusal.ts';

/**
 * Reads the name of an account or an application.
 *
 * @throws INVALID_BODY for characters that a pattern cannot exclude: half characters, changes of direction, line
 *   separators
 */
export function labelOf(name: string): string {
  const trimmed = name.trim();
  if (!isLabel(trimmed))
    throw new Refusal('INVALID_BODY', { message: '`name` must be 1 to 64 printable characters, one of them visible.' });
  return trimmed;
}
