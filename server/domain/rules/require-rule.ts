import { Refusal } from '../refusal.ts';
import { takesExtension, type Rule } from './rule.ts';

/** Whether files with this extension may lie under the rule. @throws FILE_TYPE_NOT_ALLOWED with the rule's prefix */
export function requireExtension(rule: Pick<Rule, 'prefix' | 'extensions'>, extension: string): void {
  if (takesExtension(rule, extension)) return;
  throw new Refusal('FILE_TYPE_NOT_ALLOWED', {
    message: `The rule of this prefix takes files that end in ${rule.extensions!.join(', ')}.`,
    prefix: rule.prefix,
  });
}

/** Whether a file of this size may lie under the rule. @throws FILE_TOO_LARGE with the rule's prefix */
export function requireSize({ prefix, maxSizeBytes }: Pick<Rule, 'prefix' | 'maxSizeBytes'>, sizeBytes: number): void {
  if (maxSizeBytes !== null && sizeBytes > maxSizeBytes) throw tooLarge({ maxSizeBytes, prefix });
}

/** The refusal of a file that is larger than the rule of its prefix takes. */
export function tooLarge({
  prefix,
  maxSizeBytes,
}: {
  readonly prefix: string;
  readonly maxSizeBytes: number;
}): Refusal {
  return new Refusal('FILE_TOO_LARGE', {
    message: `The rule of this prefix takes files of up to ${maxSizeBytes} bytes.`,
    prefix,
  });
}
