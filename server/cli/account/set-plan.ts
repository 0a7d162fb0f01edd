import type { Command } from 'commander';

import { changeAccount } from '#server/domain/account/change-account.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { accountView } from '#server/handlers/operator/views/account.ts';
import type { Plan } from '#server/domain/plan.ts';
import { parseAccountId, parsePlan } from '../arguments.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { onAccount } from './change.ts';
import { storesText } from './view.ts';

export function addAccountSetPlan(account: Command, operator: Operator): void {
  account
    .command('set-plan')
    .description('change the plan of an account, in force from its next request')
    .argument('<id>', 'account id', parseAccountId)
    .argument('<plan>', 'hobby, standard, pro, enterprise or none', parsePlan)
    .action(operator.storesAction((stores, id: string, plan: Plan) => change(stores, id, plan, operator.actor)));
}

async function change(stores: Stores, accountId: string, plan: Plan, by: AuditActor): Promise<Answer> {
  const account = await onAccount(accountId, changeAccount(stores, { accountId, plan, by }));
  return {
    json: accountView(account),
    text: `Account ${account.id} is on the plan ${account.plan} now. ${storesText(account)}`,
  };
}
