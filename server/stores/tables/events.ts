import type { StoredEvent } from '#server/domain/events/event.ts';
import type { EventsTable } from '#server/domain/events/table.ts';
import { json, record, type Columns } from './columns.ts';
import { forgetBefore } from './forget-before.ts';
import { table, type Rows, where } from './rows.ts';

export const events = table(
  'events',
  record<Pick<StoredEvent, keyof StoredEvent>>({
    accountId: 'account_id',
    sequence: 'sequence',
    type: 'type',
    at: 'at',
    key: 'key',
    data: json('data'),
  }) as Columns<StoredEvent>,
);

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
