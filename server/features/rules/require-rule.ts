import { Refusal } from '#server/domain/refusal.ts';
import { takesExtension, type Rule } from './rule.ts';

/**
 * Checks that files with this extension may lie under the rule.
 *
 * @throws FILE_TYPE_NOT_ALLOWED with the rule's prefix
 */
export function requireExtension(rule: Pick<Rule, 'prefix' | 'extensions'>, extension: string): void {
  if (takesExtension(rule, extension)) return;
  throw new Refusal('FILE_TYPE_NOT_ALLOWED', {
    message: `The rule of this prefix takes files that end in ${rule.extensions!.join(', ')}.`,
    prefix: rule.prefix,
  });
}

/**
 * Checks that a stored file may lie under a rule. Without a rule it may.
 *
 * @param extension in any case
 * @throws FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE, with the rule's prefix
 */
export function requireAllowed(rule: Rule | undefined, extension: string, sizeBytes: number): void {
  if (!rule) return;
  requireExtension(rule, extension.toLowerCase());
  const { prefix, maxSizeBytes } = rule;
  if (maxSizeBytes !== null && sizeBytes > maxSizeBytes) throw tooLarge(prefix, maxSizeBytes);
}

/** Returns the refusal of a file that is larger than the rule of its prefix allows. */
export function tooLarge(prefix: string, maxSizeBytes: number): Refusal {
  return new Refusal('FILE_TOO_LARGE', {
    message: `The rule of this prefix takes files of up to ${maxSizeBytes} bytes.`,
    prefix,
  });
}
