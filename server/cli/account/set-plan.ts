import type { Command } from 'commander';

import { setPlan } from '#server/domain/account/set-plan.ts';
import type { Plan } from '#server/domain/plan.ts';
import { parseAccountId, parsePlan } from '../arguments.ts';
import type { Answer, Operator } from '../operator.ts';
import { accountJson, noAccount, overQuotaText, usageText } from './view.ts';

export function addAccountSetPlan(account: Command, operator: Operator): void {
  account
    .command('set-plan')
    .description('change the plan of an account, in force from its next request')
    .argument('<id>', 'account id', parseAccountId)
    .argument('<plan>', 'hobby, standard, pro, enterprise or none', parsePlan)
    .action(operator.answering((accountId: string, plan: Plan, _options: object) => change(operator, accountId, plan)));
}

async function change(operator: Operator, accountId: string, plan: Plan): Promise<Answer> {
  const account = await operator.onStores((stores) => setPlan(stores, { accountId, plan }));
  if (!account) throw noAccount(accountId);
  return {
    json: accountJson(account),
    text: `Account ${account.id} is on the plan ${account.plan} now. It stores ${usageText(account)}.${overQuotaText(account)}`,
  };
}
