import type { Command } from 'commander';

import { setQuota } from '#server/domain/account/change-account.ts';
import { parseAccountId, parseQuota } from '../arguments.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { accountJson, noAccount, storesText } from './view.ts';

export function addAccountSetQuota(account: Command, operator: Operator): void {
  account
    .command('set-quota')
    .description('set the quota of an account, in force from its next upload')
    .argument('<id>', 'account id', parseAccountId)
    .argument('<bytes>', 'whole number of bytes, or "none" for the quota of the plan', parseQuota)
    .action(operator.storesAction(change));
}

async function change(stores: Stores, accountId: string, quotaBytes: number | null): Promise<Answer> {
  const account = await setQuota(stores, { accountId, quotaBytes });
  if (!account) throw noAccount(accountId);
  const whose = account.quotaBytes === null ? 'the quota of its plan' : 'a quota of its own';
  return {
    json: accountJson(account),
    text: `Account ${account.id} has ${whose} now. ${storesText(account)}`,
  };
}
