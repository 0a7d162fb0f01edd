import type { Rule } from '#dist/modules/client/index.js';

import type { Words } from '../../words/en.ts';
import { formatNumber, formatSize } from '../../format.ts';

/** Returns what a rule sets, each in some words. */
export function summaryOf(rule: Rule, words: Words['rules']): string[] {
  const { private: isPrivate, expire, max_size: size, extensions, cache_control: cache } = rule;
  const { delete_after_days: after, keep_deleted_days: days, keep_versions: versions } = rule;
  return [
    isPrivate === undefined ? [] : isPrivate ? words.isPrivate : words.isPublic,
    expire === undefined ? [] : words.expires(durationText(expire, words)),
    size === undefined ? [] : words.sized(formatSize(size)),
    extensions === undefined ? [] : words.typed(extensions.join(', ')),
    cache === undefined ? [] : words.cached(cache),
    after === undefined ? [] : words.deletes(formatNumber(after)),
    days === undefined ? [] : words.trashed(formatNumber(days)),
    versions === undefined ? [] : words.versioned(formatNumber(versions)),
  ].flat();
}

function durationText(duration: string, words: Words['rules']): string {
  const count = formatNumber(Number.parseInt(duration, 10));
  return duration.endsWith('h') ? words.hours(count) : words.days(count);
}
