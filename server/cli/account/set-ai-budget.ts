import type { Command } from 'commander';

import { setAiBudget } from '#server/domain/account/change-account.ts';
import { parseAccountId, parseAiBudget } from '../arguments.ts';
import { Failure, type Answer, type Operator, type Stores } from '../operator.ts';
import { accountJson, noAccount } from './view.ts';

export function addAccountSetAiBudget(account: Command, operator: Operator): void {
  account
    .command('set-ai-budget')
    .description('set the AI budget of an Enterprise account, in force from its next request')
    .argument('<id>', 'account id', parseAccountId)
    .argument(
      '<tokens>',
      'tokens a day, up to 20 million (a week allows four times that), or "none" for the budget of the plan',
      parseAiBudget,
    )
    .action(operator.storesAction(change));
}

async function change(stores: Stores, accountId: string, tokensPerDay: number | null): Promise<Answer> {
  const account = await setAiBudget(stores, { accountId, tokensPerDay });
  if (!account) throw noAccount(accountId);
  if (account === 'not-enterprise')
    throw new Failure(
      `Account ${accountId} is not on the plan enterprise, the only one with its own AI budget. ` +
        'Change the plan first: "cubby account set-plan".',
    );
  const whose =
    account.aiTokensPerDay === null
      ? 'the AI budget of its plan'
      : `an AI budget of its own: ${account.aiTokensPerDay} tokens a day`;
  return { json: accountJson(account), text: `Account ${account.id} has ${whose} now.` };
}
