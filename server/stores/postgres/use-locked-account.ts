import { startOfDay } from '#server/domain/account/usage-days.ts';
import type { Tables } from '#server/domain/ports/metadata.ts';
import { activity } from '#server/stores/tables/activity.ts';
import { events } from '#server/stores/tables/events.ts';
import { nothing } from './locked-account.ts';
import type { PieceRun } from './piece-run.ts';
import { PostgresRows } from './rows.ts';
import type { Scope } from './scopes.ts';

/**
 * Replaces functions of the tables that need no answer from the database, because the account's row was read when it
 * was locked. A small upload then waits for no answer but that of its look-ups, and of its commit.
 */
export function useLockedAccount(tables: Tables, run: PieceRun, id: string): void {
  const rows = new PostgresRows(run);
  const common = { accounts: tables.accounts, activity: tables.activity, events: tables.events };
  // Nothing may come between this read and the change that follows from it.
  const lockedOf = (accountId: string) => (accountId === id ? run.lockedAccount : undefined);
  // Assigned, so that others can replace them once more.
  Object.assign(tables, {
    accounts: {
      ...common.accounts,
      async find(accountId) {
        await run.whenLocked();
        const locked = lockedOf(accountId);
        return locked && !run.mayHaveChanged(rowOfAccount(id)) ? locked.account : common.accounts.find(accountId);
      },
      async addUsage(accountId, { bytes, objects }) {
        await run.whenLocked();
        const locked = lockedOf(accountId);
        // More than one day to settle is rare.
        if (!locked || startOfDay(locked.settledAt) !== startOfDay(run.now) || locked.settledAt > run.now)
          return common.accounts.addUsage(accountId, { bytes, objects });
        const { account, pending = nothing } = locked;
        run.changeAccount({
          ...locked,
          account: {
            ...account,
            usedBytes: account.usedBytes + bytes,
            usedObjects: account.usedObjects + objects,
            revision: account.revision + 1,
          },
          settledAt: run.now,
          pending: {
            bytes: pending.bytes + bytes,
            objects: pending.objects + objects,
            changes: pending.changes + 1,
          },
        });
      },
    } satisfies Tables['accounts'],
    activity: {
      ...common.activity,
      async add(entry, at) {
        await run.whenLocked();
        const locked = lockedOf(entry.accountId);
        if (!locked) return common.activity.add(entry, at);
        const sequence = locked.activityCount + 1;
        run.changeAccount({ ...locked, activityCount: sequence, pending: locked.pending ?? nothing });
        await rows.insert(activity, { ...entry, sequence, at });
        return sequence;
      },
    } satisfies Tables['activity'],
    events: {
      ...common.events,
      async add(event, at) {
        await run.whenLocked();
        const locked = lockedOf(event.accountId);
        if (!locked) return common.events.add(event, at);
        const sequence = locked.eventCount + 1;
        run.changeAccount({ ...locked, eventCount: sequence, pending: locked.pending ?? nothing });
        await rows.insert(events, { ...event, sequence, at });
        return sequence;
      },
    } satisfies Tables['events'],
  });
}

function rowOfAccount(id: string): Scope {
  return { table: 'accounts', columns: ['account_id'], values: [id] };
}
