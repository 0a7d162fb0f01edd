import { isCacheControl } from './cache-control.ts';
import { isShort, parseDuration, type Duration } from './duration.ts';
import { isAtLeast, type Plan } from './plan.ts';
import { Refusal } from './refusal.ts';
import { got } from './shown-value.ts';

/* Options of a file that uploads, updates, copies and upload tokens read alike. */

/**
 * Reads how long a file is to live: a duration, or whole days; null keeps it for good. @throws INVALID_OBJECT_EXPIRE
 */
export function readExpire(given: string | number | null | undefined): Duration | null | undefined {
  if (given === undefined || given === null) return given;
  const duration = parseDuration(String(given));
  if (!duration) throw new Refusal('INVALID_OBJECT_EXPIRE', { detail: got(given) });
  return duration;
}

/** @throws INVALID_OBJECT_CACHE_CONTROL */
export function requireCacheControl(given: string | null | undefined): void {
  if (typeof given === 'string' && !isCacheControl(given))
    throw new Refusal('INVALID_OBJECT_CACHE_CONTROL', { detail: got(given) });
}

/** What of a file only some plans include; what is left out, or null, asks for nothing. */
interface PlannedOptions {
  readonly expire?: Duration | null | undefined;
  readonly cacheControl?: string | null | undefined;
  /** A null value removes its key. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

/** @throws UPGRADE_REQUIRED */
export function requirePlan(plan: Plan, { expire, cacheControl, metadata }: PlannedOptions): void {
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
