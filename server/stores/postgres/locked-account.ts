import type { Account } from '#server/domain/account/account.ts';
import { startOfDay } from '#server/domain/account/usage-days.ts';
import type { Tables } from '#server/domain/ports/metadata.ts';
import { accounts } from '#server/stores/tables/accounts.ts';
import { activity } from '#server/stores/tables/activity.ts';
import { column, record } from '#server/stores/tables/columns.ts';
import { rowOf } from '#server/stores/tables/rows.ts';
import { PostgresRows } from './rows.ts';
import type { PostgresTransaction } from './transaction.ts';

/** The row of an account that a transaction has locked, as it was then. Nobody else changes it meanwhile. */
export interface LockedAccount {
  readonly account: Account;
  readonly settledAt: number;
  readonly activityCount: number;
}

/** The columns of the row, as the statement that locks it selects them. */
export const lockedAccount = record<LockedAccount>({
  account: accounts.columns,
  settledAt: column('settled_at'),
  activityCount: column('activity_count'),
});

/** Adds the usage since the last change to its day, and counts the change. */
const addUsage = `
  WITH settled AS (
    INSERT INTO usage_days (account_id, day, byte_ms)
    SELECT account_id, :day, (used_bytes::numeric * (CAST(:now AS BIGINT) - settled_at))::text
    FROM accounts WHERE account_id = :id AND settled_at < :now
    ON CONFLICT (account_id, day)
    DO UPDATE SET byte_ms = (usage_days.byte_ms::numeric + excluded.byte_ms::numeric)::text
  )
  UPDATE accounts SET used_bytes = used_bytes + :bytes, used_objects = used_objects + :objects, revision = revision + 1,
    settled_at = :now
  WHERE account_id = :id`;

/**
 * Replaces functions of the tables that need no answer from the database, because the account's row was read when it was
 * locked. A small upload then takes five round trips less.
 */
export function useLockedAccount(tables: Tables, tx: PostgresTransaction, locked: LockedAccount): void {
  const { id } = locked.account;
  const { now } = tx;
  const rows = new PostgresRows(tx);
  const common = { accounts: tables.accounts, activity: tables.activity };
  let { settledAt, activityCount } = locked;
  Object.defineProperties(tables, {
    accounts: {
      value: {
        ...common.accounts,
        find: async (accountId) =>
          accountId === id && !tx.hasWritten ? locked.account : common.accounts.find(accountId),
        async addUsage(accountId, usage) {
          // More than one day to settle is rare.
          const isSameDay = startOfDay(settledAt) === startOfDay(now) && settledAt <= now;
          if (accountId !== id || !isSameDay) return common.accounts.addUsage(accountId, usage);
          settledAt = now;
          await rows.write(addUsage, { id, day: startOfDay(now), now, ...usage });
        },
      } satisfies Tables['accounts'],
    },
    activity: {
      value: {
        ...common.activity,
        async add(entry, at) {
          if (entry.accountId !== id) return common.activity.add(entry, at);
          const sequence = (activityCount += 1);
          await rows.write('UPDATE accounts SET activity_count = ? WHERE account_id = ?', sequence, id);
          await rows.write(activity.insert, ...rowOf(activity, { ...entry, sequence, at }));
          return sequence;
        },
      } satisfies Tables['activity'],
    },
  });
}
