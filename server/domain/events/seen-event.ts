import { coversId } from '../recorded-id.ts';
import { coversKey, type Prefix } from '../prefixes.ts';
import type { StoredEvent } from './event.ts';

/** What somebody may see of an account's events. */
export interface EventView {
  /** Only files under these prefixes; null for all of them. */
  readonly prefixes: readonly Prefix[] | null;
  /** Whether events that are about no file are shown. */
  readonly seesAccount: boolean;
}

/** The fields of the data that contain the id of another file. */
const otherFiles: readonly string[] = ['from', 'source'];

/** Returns an event as it may be seen, without files outside of the prefixes. Undefined if nothing of it may be. */
export function seenEvent(event: StoredEvent, { prefixes, seesAccount }: EventView): StoredEvent | undefined {
  if (event.key === null) return seesAccount ? event : undefined;
  if (prefixes === null) return event;
  const isInside = coversKey(prefixes, event.key);
  const others = otherFiles.filter((name) => event.data[name] !== undefined);
  const hidden = others.filter((name) => !coversId(prefixes, event.data[name], event.accountId));
  if (!isInside && hidden.length === others.length) return undefined;
  if (isInside && hidden.length === 0) return event;
  const shown = Object.entries(event.data).filter(
    ([name]) => !hidden.includes(name) && (isInside || name !== 'object'),
  );
  return { ...event, data: Object.fromEntries(shown) };
}
