import { coversId } from '../recorded-id.ts';
import { coversKey, type Prefix } from '../prefixes.ts';
import type { ActivityEntry } from './activity.ts';

/** The details that contain the id of another file: the source of a copy, and the former id of a file. */
const fileDetails: readonly string[] = ['source', 'from'];

/** The detail that has the name of the entry's own file. */
const ownName = 'original_name';

/**
 * Returns an entry as a key restricted to these prefixes may see it, without files outside of them. Returns undefined
 * when it concerns no file below them.
 */
export function withinPrefixes(entry: ActivityEntry, prefixes: readonly Prefix[]): ActivityEntry | undefined {
  const object = entry.object && coversKey(prefixes, entry.object.key) ? entry.object : null;
  const others = Object.entries(entry.details).filter(([name]) => fileDetails.includes(name));
  const hidden = others.filter(([, id]) => !coversId(prefixes, id, entry.accountId)).map(([name]) => name);
  if (!object && hidden.length === others.length) return undefined;
  if (!object) hidden.push(ownName);
  return {
    ...entry,
    object,
    details: Object.fromEntries(Object.entries(entry.details).filter(([name]) => !hidden.includes(name))),
  };
}
