import { isCacheControl } from './cache-control.ts';
import { isShort, parseDuration, type Duration } from './duration.ts';
import { isAtLeast, type Plan } from './plan.ts';
import { parsePrefix, type Prefix } from './prefixes.ts';
import { Refusal } from './refusal.ts';
import { got } from './error-value.ts';

/* Options of a file that uploads, updates, copies and upload tokens share. */

/**
 * Reads the folder of a file. An empty text means no folder.
 *
 * @throws INVALID_OBJECT_PREFIX
 */
export function readPrefix(given: string | undefined): Prefix | undefined {
  if (!given) return undefined;
  const prefix = parsePrefix(given);
  if (prefix === undefined) throw new Refusal('INVALID_OBJECT_PREFIX', { detail: got(given) });
  return prefix;
}

/**
 * Reads the lifetime of a file: a duration, or a number of days. Null keeps the file for good.
 *
 * @throws INVALID_OBJECT_EXPIRE
 */
export function readExpire(given: string | number | null | undefined): Duration | null | undefined {
  if (given === undefined || given === null) return given;
  const duration = parseDuration(String(given));
  if (!duration) throw new Refusal('INVALID_OBJECT_EXPIRE', { detail: got(given) });
  return duration;
}

/**
 * Checks a `cache_control` option.
 *
 * @throws INVALID_OBJECT_CACHE_CONTROL
 */
export function requireCacheControl(given: string | null | undefined): void {
  if (typeof given === 'string' && !isCacheControl(given))
    throw new Refusal('INVALID_OBJECT_CACHE_CONTROL', { detail: got(given) });
}

/** The options that only some plans include. An option that is left out, or null, needs no plan. */
interface PlannedOptions {
  readonly expire?: Duration | null | undefined;
  readonly cacheControl?: string | null | undefined;
  /** A null value removes its key. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

/**
 * Checks that the plan includes the options.
 *
 * @throws UPGRADE_REQUIRED
 */
export function requirePlanFor(plan: Plan, { expire, cacheControl, metadata }: PlannedOptions): void {
  const need = (least: Plan, message: string): void => {
    if (!isAtLeast(plan, least)) throw new Refusal('UPGRADE_REQUIRED', { message });
  };
  if (expire && isShort(expire))
    need('enterprise', 'Expiry in less than 7 days needs the Enterprise plan. Upgrade, or ask for 7 days or more.');
  if (cacheControl === 'no-cache')
    need('enterprise', 'cache_control "no-cache" needs the Enterprise plan. Upgrade, or send another one.');
  if (Object.values(metadata ?? {}).some((value) => value !== null))
    need('pro', 'Metadata needs the Pro or Enterprise plan. Upgrade, or leave it out.');
}
