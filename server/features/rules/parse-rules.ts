import { isCacheControl } from '#server/domain/cache-control.ts';
import { parseDuration, type Duration } from '#server/domain/duration.ts';
import { parsePrefix } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { got } from '#server/domain/error-value.ts';
import type { Rule } from './rule.ts';

/** A rule as it was sent, in the form of the contract. `undefined` for options that were left out. */
export interface GivenRule {
  /** With or without its trailing slash. */
  readonly prefix: string;
  readonly isPrivate: boolean | undefined;
  /** A duration, or whole days. */
  readonly expire: string | number | undefined;
  readonly maxSizeBytes: number | undefined;
  readonly extensions: readonly string[] | undefined;
  readonly cacheControl: string | undefined;
  readonly deleteAfterDays: number | undefined;
  readonly keepDeletedDays: number | undefined;
  readonly keepVersions: number | undefined;
}

/** A rule that is not saved yet. */
export type NewRule = Omit<Rule, 'createdAt'>;

/**
 * Parses a list of rules, and makes the checks that a schema cannot. It needs no stored data.
 *
 * @throws INVALID_RULE_PREFIX
 * @throws INVALID_RULE_EXPIRE, INVALID_RULE_CACHE_CONTROL, INVALID_RULE_KEEP_VERSIONS, DUPLICATE_RULE_PREFIX with the
 *   rule's prefix
 */
export function parseRules(given: readonly GivenRule[]): NewRule[] {
  const seen = new Set<string>();
  return given.map((rule) => {
    const folder = parsePrefix(rule.prefix);
    if (folder === undefined) throw new Refusal('INVALID_RULE_PREFIX', { detail: got(rule.prefix) });
    const prefix = `${folder}/`;
    const expire = parseExpire(rule.expire, prefix);
    if (rule.cacheControl !== undefined && !isCacheControl(rule.cacheControl))
      throw new Refusal('INVALID_RULE_CACHE_CONTROL', { detail: got(rule.cacheControl), prefix });
    if (rule.keepVersions !== undefined && rule.keepDeletedDays === undefined)
      throw new Refusal('INVALID_RULE_KEEP_VERSIONS', { detail: 'keep_deleted_days is missing.', prefix });
    if (seen.has(prefix)) throw new Refusal('DUPLICATE_RULE_PREFIX', { prefix });
    seen.add(prefix);
    return {
      prefix,
      isPrivate: rule.isPrivate ?? null,
      expire,
      maxSizeBytes: rule.maxSizeBytes ?? null,
      extensions: rule.extensions ? [...new Set(rule.extensions)] : null,
      cacheControl: rule.cacheControl ?? null,
      deleteAfterDays: rule.deleteAfterDays ?? null,
      keepDeletedDays: rule.keepDeletedDays ?? null,
      keepVersions: rule.keepVersions ?? null,
    };
  });
}

function parseExpire(text: string | number | undefined, prefix: string): Duration | null {
  if (text === undefined) return null;
  const duration = parseDuration(String(text));
  if (!duration) throw new Refusal('INVALID_RULE_EXPIRE', { detail: got(text), prefix });
  return duration;
}
