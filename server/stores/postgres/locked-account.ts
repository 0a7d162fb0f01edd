import type { Account } from '#server/domain/account/account.ts';
import { startOfDay } from '#server/domain/account/usage-days.ts';
import { accounts } from '#server/stores/tables/accounts.ts';
import { column, record } from '#server/stores/tables/columns.ts';
import type { SqlValue } from '#server/stores/tables/rows.ts';
import { native } from './placeholders.ts';

/** The row of an account that a transaction has locked. Nobody else changes it meanwhile. */
export interface LockedAccount {
  readonly account: Account;
  readonly settledAt: number;
  readonly activityCount: number;
  readonly eventCount: number;
  /** Changes that were not sent yet. One statement sends them all. */
  readonly pending?: PendingChange | undefined;
}

/** The sum of changes of an account's row. */
interface PendingChange {
  readonly bytes: number;
  readonly objects: number;
  /** How many changes of the usage these are. */
  readonly changes: number;
}

/** No change yet. */
export const nothing: PendingChange = { bytes: 0, objects: 0, changes: 0 };

/** The columns of the row, as the statement that locks it selects them. */
export const lockedAccount = record<Omit<LockedAccount, 'pending'>>({
  account: accounts.columns,
  settledAt: column('settled_at'),
  activityCount: column('activity_count'),
  eventCount: column('event_count'),
});

/** The tables that {@link changeAccount} writes. */
export const tablesOfAccount: readonly string[] = ['accounts', 'usage_days'];

const count = 'UPDATE accounts SET activity_count = :count, event_count = :events WHERE account_id = :id';

/** Adds the usage since the last change to its day, and counts the changes. */
const addUsage = `
  WITH settled AS (
    INSERT INTO usage_days (account_id, day, byte_ms, object_ms)
    SELECT account_id, :day, (used_bytes::numeric * (CAST(:now AS BIGINT) - settled_at))::text,
      (used_objects::numeric * (CAST(:now AS BIGINT) - settled_at))::text
    FROM accounts WHERE account_id = :id AND settled_at < :now
    ON CONFLICT (account_id, day)
    DO UPDATE SET byte_ms = (usage_days.byte_ms::numeric + excluded.byte_ms::numeric)::text,
      object_ms = (usage_days.object_ms::numeric + excluded.object_ms::numeric)::text
  )
  UPDATE accounts SET used_bytes = used_bytes + :bytes, used_objects = used_objects + :objects,
    revision = revision + :changes, settled_at = :now, activity_count = :count,
    event_count = :events
  WHERE account_id = :id`;

/** Returns the statement that writes the pending changes of the row. */
export function changeAccount(
  { account: { id }, activityCount, eventCount, pending }: LockedAccount,
  now: number,
): { readonly text: string; readonly values: readonly SqlValue[] } {
  const { bytes = 0, objects = 0, changes = 0 } = pending ?? {};
  return changes === 0
    ? native(count, [{ id, count: activityCount, events: eventCount }])
    : native(addUsage, [
        { id, count: activityCount, events: eventCount, day: startOfDay(now), now, bytes, objects, changes },
      ]);
}

/** Returns the account without the pending changes that an earlier state of it had, because they were sent. */
export function withoutSent(account: LockedAccount, earlier: LockedAccount | undefined): LockedAccount {
  const { bytes, objects, changes } = account.pending ?? nothing;
  const sent = earlier?.pending ?? nothing;
  return {
    ...account,
    pending: { bytes: bytes - sent.bytes, objects: objects - sent.objects, changes: changes - sent.changes },
  };
}
