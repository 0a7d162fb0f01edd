import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { Account } from '#server/domain/account/account.ts';
import type { Readers } from '#server/domain/ports/metadata.ts';
import { readJoiners } from '#server/feature-parts.ts';
import { accounts } from '#server/stores/tables/accounts.ts';
import { keys } from '#server/stores/tables/api-keys.ts';
import { prefixed, record } from '#server/stores/tables/columns.ts';
import { table, type Rows } from '#server/stores/tables/rows.ts';

const keyWithAccount = table(
  'api_keys AS one JOIN accounts AS account USING (account_id)',
  record<{ key: ApiKey; account: Account }>({
    key: prefixed('one', keys.columns),
    account: prefixed('account', accounts.columns),
  }),
);

/** Replaces reads that follow each other in hot requests by one statement: those of keys, and those of features. */
export function joinReads(readers: Readers, rows: Rows): Readers {
  const ofCore: Readers = {
    ...readers,
    apiKeys: {
      ...readers.apiKeys,
      findWithAccount: async (hash) => rows.one(keyWithAccount, 'WHERE one.hash = ?', hash),
    },
  };
  return readJoiners.reduce((joined, join) => join(joined, rows), ofCore);
}
