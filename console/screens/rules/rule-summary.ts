import type { Rule } from '#dist/modules/client/index.js';

import type { Messages } from '../../messages/en.ts';
import { formatNumber, formatSize } from '../../format.ts';

/** Returns what a rule sets, a phrase for each. */
export function summaryOf(rule: Rule, messages: Messages['rules']): string[] {
  const { private: isPrivate, expire, max_size: size, extensions, cache_control: cache } = rule;
  const { delete_after_days: after, keep_deleted_days: days, keep_versions: versions } = rule;
  return [
    isPrivate === undefined ? [] : isPrivate ? messages.isPrivate : messages.isPublic,
    expire === undefined ? [] : messages.expires(durationText(expire, messages)),
    size === undefined ? [] : messages.sized(formatSize(size)),
    extensions === undefined ? [] : messages.typed(extensions.join(', ')),
    cache === undefined ? [] : messages.cached(cache),
    after === undefined ? [] : messages.deletes(formatNumber(after)),
    days === undefined ? [] : messages.trashed(formatNumber(days)),
    versions === undefined ? [] : messages.versioned(formatNumber(versions)),
  ].flat();
}

function durationText(duration: string, messages: Messages['rules']): string {
  const count = formatNumber(Number.parseInt(duration, 10));
  return duration.endsWith('h') ? messages.hours(count) : messages.days(count);
}
