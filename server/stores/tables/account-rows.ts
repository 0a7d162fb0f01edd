import type { AccountsTable } from '#server/domain/account/table.ts';
import { ofAccount, type AccountRows } from '#server/feature.ts';
import { features } from '#server/features.ts';
import type { Rows } from './rows.ts';

/** Those of the core, which features refer to. */
const ofCore: readonly AccountRows[] = [
  ['upload_tokens', 'token_id', ofAccount],
  ['browser_sessions', 'session_id', ofAccount],
  ['api_keys', 'key_id', ofAccount],
  ['usage_days', 'account_id, day', ofAccount],
  ['traffic_days', 'account_id, day', ofAccount],
  ['activity', 'account_id, sequence', ofAccount],
  ['events', 'account_id, sequence', ofAccount],
];

/**
 * The tables whose rows belong to an account. Features come before those that they need, because their rows may refer
 * to them. Files and open uploads are removed elsewhere.
 */
export const accountTables: readonly AccountRows[] = [
  ...features.toReversed().flatMap((one): readonly AccountRows[] => ('accountRows' in one ? one.accountRows : [])),
  ...ofCore,
];

/** Adds to the table of accounts what features give a new one, and removes what belongs to one. */
export function withRowsOfFeatures(rows: Rows, accounts: Omit<AccountsTable, 'removeSome'>): AccountsTable {
  return {
    ...accounts,
    async add(account) {
      await accounts.add(account);
      for (const one of features) if ('addFirstRows' in one) await one.addFirstRows(rows, account);
    },
    async removeSome(accountId, limit) {
      let removed = 0;
      for (const [name, key, which] of accountTables) {
        removed += await rows.removeSome(name, key, which, accountId, limit - removed);
        if (removed >= limit) break;
      }
      return removed;
    },
  };
}
