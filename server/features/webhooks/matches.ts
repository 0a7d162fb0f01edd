import type { StoredEvent } from '#server/domain/events/event.ts';
import { eventTypes, type EventType } from '#server/domain/events/event-type.ts';
import { seenEvent } from '#server/domain/events/seen-event.ts';
import { recordedKey } from '#server/domain/recorded-id.ts';
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
  const from = 'from' in data ? data.from : undefined;
  const formerKey = from === undefined ? null : (recordedKey(from, accountId) ?? null);
  return { webhookId, sequence, type, eventAt: at, orderKey, formerKey };
}
