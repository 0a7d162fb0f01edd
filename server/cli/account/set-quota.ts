import type { Command } from 'commander';

import { changeAccount } from '#server/domain/account/change-account.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { accountView } from '#server/handlers/operator/views/account.ts';
import { parseAccountId, parseQuota } from '../arguments.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { onAccount } from './change.ts';
import { storesText } from './view.ts';

export function addAccountSetQuota(account: Command, operator: Operator): void {
  account
    .command('set-quota')
    .description('set the quota of an account, in force from its next upload')
    .argument('<id>', 'account id', parseAccountId)
    .argument('<bytes>', 'a size such as 500GB, or "none" for the quota of the plan', parseQuota)
    .action(
      operator.storesAction((stores, id: string, quotaBytes: number | null) =>
        change(stores, id, quotaBytes, operator.actor),
      ),
    );
}

async function change(stores: Stores, accountId: string, quotaBytes: number | null, by: AuditActor): Promise<Answer> {
  const account = await onAccount(accountId, changeAccount(stores, { accountId, quotaBytes, by }));
  const whose = account.quotaBytes === null ? 'the quota of its plan' : 'a quota of its own';
  return {
    json: accountView(account),
    text: `Account ${account.id} has ${whose} now. ${storesText(account)}`,
  };
}
