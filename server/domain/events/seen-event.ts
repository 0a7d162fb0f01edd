import { coversId } from '../recorded-id.ts';
import { coversKey, type Prefix } from '../prefixes.ts';
import type { StoredEvent } from './event.ts';
import type { FileDetails } from './event-details.ts';

/** What somebody may see of an account's events. */
export interface EventView {
  /** Only files under these prefixes; null for all of them. */
  readonly prefixes: readonly Prefix[] | null;
  /** Whether events that are about no file are shown. */
  readonly seesAccount: boolean;
}

/** The fields of the details that contain the id of another file. */
const otherFiles = ['from', 'source'] as const;

/** An event with the fields of its details that are left out. */
export type SeenEvent = StoredEvent & { readonly hidden?: ReadonlyArray<'object' | (typeof otherFiles)[number]> };

/** Returns an event as it may be seen, without files outside of the prefixes. Undefined if nothing of it may be. */
export function seenEvent(event: StoredEvent, { prefixes, seesAccount }: EventView): SeenEvent | undefined {
  if (event.key === null) return seesAccount ? event : undefined;
  if (prefixes === null) return event;
  const { key, accountId } = event;
  const data = event.data as Pick<FileDetails, 'from' | 'source'>;
  const isInside = coversKey(prefixes, key);
  const others = otherFiles.filter((name) => data[name] !== undefined);
  const hidden = others.filter((name) => !coversId(prefixes, data[name], accountId));
  if (!isInside && hidden.length === others.length) return undefined;
  return { ...event, hidden: isInside ? hidden : [...hidden, 'object'] };
}
