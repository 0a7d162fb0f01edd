import { getSettings } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { keyOf, spaceOf } from '../../files/object-id.ts';
import type { Entry } from './entry.ts';

interface Keeping {
  readonly prefix: string;
  readonly keep_deleted_days?: number;
}

/**
 * Returns for how many days the trash keeps all of these once they are deleted, and 0 if it keeps none. Undefined if
 * that differs between them.
 */
export function keptDays(rules: readonly Keeping[], entries: readonly Entry[]): number | undefined {
  const days = new Set<number | undefined>();
  for (const entry of entries) {
    if (entry.kind === 'file' && spaceOf(entry.key) === 'legacy') return undefined;
    const key = entry.kind === 'folder' ? entry.key : keyOf(entry.key);
    const [rule] = rules.filter(({ prefix }) => key.startsWith(prefix)).toSorted(longestFirst);
    days.add(rule?.keep_deleted_days ?? 0);
    for (const deeper of rules) if (deeper.prefix.startsWith(key)) days.add(deeper.keep_deleted_days ?? 0);
  }
  return days.size === 1 ? [...days][0] : undefined;
}

function longestFirst(one: Keeping, other: Keeping): number {
  return other.prefix.length - one.prefix.length;
}

/** Asks for the rules, and returns the same. Also undefined if they cannot be read. */
export async function askKeptDays(entries: readonly Entry[]): Promise<number | undefined> {
  try {
    return keptDays((await ask(getSettings())).rules, entries);
  } catch {
    return undefined;
  }
}
