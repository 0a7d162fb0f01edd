import { getSettings } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { keyOf } from '../../files/object-id.ts';
import type { Entry } from './entry.ts';

const dayMs = 86_400_000;

interface Keeping {
  readonly prefix: string;
  readonly keep_deleted_days?: number;
}

/** What the trash does with entries once they are deleted here. */
export interface KeptDays {
  /** For at least so many days it keeps all of them. 0 if it may keep none. */
  readonly days: number;
  /** Whether it keeps none of them longer. */
  readonly isExact: boolean;
  /** Whether some of them make space for new files when the storage is full, because no rule keeps them as long. */
  readonly isYielding: boolean;
}

/**
 * Returns for how long the trash keeps entries.
 *
 * @param own the days that the console sends with the deletion
 */
export function keptDays(rules: readonly Keeping[], own: number, entries: readonly Entry[]): KeptDays {
  const days = new Set<number>();
  for (const entry of entries) {
    const key = entry.kind === 'folder' ? entry.key : keyOf(entry.key);
    const [rule] = rules.filter(({ prefix }) => key.startsWith(prefix)).toSorted(longestFirst);
    days.add(rule?.keep_deleted_days ?? 0);
    if (entry.kind === 'folder')
      for (const deeper of rules) if (deeper.prefix.startsWith(key)) days.add(deeper.keep_deleted_days ?? 0);
  }
  const all = new Set([...days].map((ofRule) => Math.max(ofRule, own)));
  return {
    days: Math.min(...all),
    isExact: all.size === 1,
    isYielding: [...days].some((ofRule) => ofRule < own),
  };
}

function longestFirst(one: Keeping, other: Keeping): number {
  return other.prefix.length - one.prefix.length;
}

/** Whether one of the files expires before the trash would give it up. */
export function expiresEarlier(entries: readonly Entry[], days: number, nowMs: number): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'file' &&
      entry.file.expires_at !== undefined &&
      Date.parse(entry.file.expires_at) < nowMs + days * dayMs,
  );
}

/** Asks for the settings, and returns what the trash does, and the days to send. @throws {ApiError} */
export async function askKeptDays(entries: readonly Entry[]): Promise<KeptDays & { readonly sent: number }> {
  const { rules, keep_deleted_days: sent } = await ask(getSettings());
  return { ...keptDays(rules, sent, entries), sent };
}
