import type { SettingsChange } from '#server/domain/account/settings-change.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import type { Readers } from '#server/domain/ports/metadata.ts';

/** For how many days the console keeps what a person deletes in it, if its account has set no other number. */
export const consoleKeepDays = 30;

/**
 * Returns for how many days the console keeps what a person deletes in it. The console sends them with each
 * deletion, so nothing else in the server depends on them.
 */
export async function keptDaysOf({ accounts }: Pick<Readers, 'accounts'>, accountId: string): Promise<number> {
  return (await accounts.find(accountId))?.keepDeletedDays ?? consoleKeepDays;
}

/** Returns the change that sets them. @param days 0 to 365 */
export function keptDaysChange(days: number): SettingsChange {
  return {
    check() {},
    async replace(tx, accountId, actor) {
      await tx.accounts.setKeepDeletedDays(accountId, days);
      const details = { keep_deleted_days: days };
      await recordActivity(tx, { accountId, type: 'settings.changed', object: null, details, actor });
    },
  };
}
