import { formatObjectId, type ObjectAddress } from '../object-id.ts';
import type { Transaction } from '../ports/metadata.ts';
import type { EventData, EventType } from './event.ts';

/** Adds an event in the transaction of its change. A rollback removes it too. @param key of its file, if it has one */
export async function recordEvent(
  tx: Transaction<'events'>,
  accountId: string,
  type: EventType,
  data: EventData,
  key: string | null = null,
): Promise<void> {
  await tx.events.add({ accountId, type, key, data }, tx.now);
}

/** Adds an event that names a file and says nothing else about it. */
export async function recordEventAt(
  tx: Transaction<'events'>,
  type: EventType,
  { accountId, space, key }: ObjectAddress,
  more: EventData,
): Promise<void> {
  const data = { object: { id: formatObjectId({ accountId, space, key }) }, ...more };
  await recordEvent(tx, accountId, type, data, key);
}

/** Returns an instant as events show it. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
