import { eventTypes, type EventType, type StoredEvent } from '../events/event.ts';
import { seenEvent } from '../events/seen-event.ts';
import { parseObjectId } from '../object-id.ts';
import { Refusal } from '../refusal.ts';
import type { NewDelivery } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** Whether a filter stands for a type, or for several. */
export function isTypeFilter(filter: string): boolean {
  return eventTypes.some((type) => matchesType(filter, type));
}

function matchesType(filter: string, type: EventType): boolean {
  return filter.endsWith('*')
    ? filter === '*' || (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1)))
    : filter === type;
}

/** Whether an event is delivered to a webhook. */
export function matches({ id, types, prefixes, seesAccount, format }: Webhook, event: StoredEvent): boolean {
  if (event.type === 'webhook.test') return event.data.webhook === id;
  if (types !== null && !types.some((filter) => matchesType(filter, event.type))) return false;
  if (prefixes !== null && event.key === null) return false;
  // Amazon's form has only files that were written or deleted.
  if (format === 's3' && !event.type.startsWith('object.')) return false;
  return seenEvent(event, { prefixes, seesAccount }) !== undefined;
}

/** Returns the delivery of an event. Events about no file keep their order among those of their kind. */
export function deliveryOf(webhookId: string, { sequence, type, at, key, data, accountId }: StoredEvent): NewDelivery {
  const orderKey = key ?? `:${type.split('.', 1)[0]!}`;
  return { webhookId, sequence, type, eventAt: at, orderKey, formerKey: formerKey(data.from, accountId) };
}

function formerKey(from: unknown, accountId: string): string | null {
  if (typeof from !== 'string') return null;
  try {
    return parseObjectId(from, accountId).key;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
