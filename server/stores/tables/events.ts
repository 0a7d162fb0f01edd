import type { StoredEvent } from '#server/domain/events/event.ts';
import type { EventsTable } from '#server/domain/events/table.ts';
import { json, mapped, record, type Columns } from './columns.ts';
import { forgetBefore } from './forget-before.ts';
import { table, type Rows, where } from './rows.ts';

const row = record<Pick<StoredEvent, keyof StoredEvent>>({
  accountId: 'account_id',
  sequence: 'sequence',
  type: 'type',
  at: 'at',
  key: 'key',
  data: json('data'),
}) as Columns<StoredEvent>;

/** An event. Its data says of its file only what other columns do not say, and what is not usual. */
export const events = table('events', mapped<StoredEvent, StoredEvent>(row, completed, shortened));

/** What the id of a file begins with, before the account and the key. */
const starts: readonly string[] = ['pub/', 'prv/', ''];

type File = Readonly<Record<string, unknown>> & { readonly id: string };

/** Returns what most files are, by the start of their ids. Only events with all of these fields have an ETag. */
function usual({ at }: StoredEvent, start: string): Readonly<Record<string, unknown>> {
  const isPrivate = start === 'prv/';
  return { sha256: null, isPrivate, createdAt: at, expiresAt: null, originalName: null, metadata: {} };
}

function shortened(event: StoredEvent): StoredEvent {
  const { object } = event.data as { readonly object?: File };
  const end = `${event.accountId}/${event.key}`;
  if (event.key === null || !object?.id.endsWith(end)) return event;
  const id = object.id.slice(0, -end.length);
  if (!starts.includes(id)) return event;
  const left = 'etag' in object ? usual(event, id) : {};
  const told = Object.entries(object).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(left[name]));
  return { ...event, data: { ...event.data, object: { ...Object.fromEntries(told), id } } } as StoredEvent;
}

function completed(event: StoredEvent): StoredEvent {
  const { object } = event.data as { readonly object?: File };
  if (event.key === null || !object || !starts.includes(object.id)) return event;
  const left = 'etag' in object ? usual(event, object.id) : {};
  const id = `${object.id}${event.accountId}/${event.key}`;
  return { ...event, data: { ...event.data, object: { ...left, ...object, id } } } as StoredEvent;
}

/** The events of accounts. */
export function eventsTable(rows: Rows): EventsTable {
  return {
    scan: async ({ accountId, after, limit }) =>
      rows.all(events, 'WHERE account_id = ? AND sequence > ? ORDER BY sequence LIMIT ?', accountId, after, limit),
    find: async (accountId, sequence) => rows.one(events, where('account_id', 'sequence'), accountId, sequence),
    newest: async (accountId) =>
      (await rows.value<number>('SELECT event_count FROM accounts WHERE account_id = ?', accountId)) ?? 0,
    async add(event, at) {
      const count = 'UPDATE accounts SET event_count = event_count + 1 WHERE account_id = ? RETURNING event_count';
      const sequence = await rows.value<number>(count, event.accountId);
      if (sequence === undefined)
        throw new Error(`The event cannot be recorded: there is no account ${event.accountId}.`);
      await rows.insert(events, { ...event, sequence, at });
      return sequence;
    },
    forgetBefore: async (at, limit) => forgetBefore(rows, 'events', at, limit),
  };
}
