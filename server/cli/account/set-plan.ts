import type { Command } from 'commander';

import { setPlan } from '#server/domain/account/change-account.ts';
import type { Plan } from '#server/domain/plan.ts';
import { parseAccountId, parsePlan } from '../arguments.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { accountJson, noAccount, storesText } from './view.ts';

export function addAccountSetPlan(account: Command, operator: Operator): void {
  account
    .command('set-plan')
    .description('change the plan of an account, in force from its next request')
    .argument('<id>', 'account id', parseAccountId)
    .argument('<plan>', 'hobby, standard, pro, enterprise or none', parsePlan)
    .action(operator.storesAction(change));
}

async function change(stores: Stores, accountId: string, plan: Plan): Promise<Answer> {
  const account = await setPlan(stores, { accountId, plan });
  if (!account) throw noAccount(accountId);
  return {
    json: accountJson(account),
    text: `Account ${account.id} is on the plan ${account.plan} now. ${storesText(account)}`,
  };
}
