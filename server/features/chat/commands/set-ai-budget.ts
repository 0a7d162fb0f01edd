import { InvalidArgumentError, type Command } from 'commander';

import { changeAccount } from '#server/domain/account/change-account.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { maxAiTokensPerDay } from '../budgets/chat-quota.ts';
import { accountView } from '#server/handlers/operator/views/account.ts';
import { parseAccountId } from '#server/cli/arguments.ts';
import { Failure, type Answer, type Operator, type Stores } from '#server/cli/operator.ts';
import { onAccount } from '#server/cli/account/change.ts';

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
    .action(
      operator.storesAction((stores, id: string, tokens: number | null) => change(stores, id, tokens, operator.actor)),
    );
}

/** Parses an AI budget. `none` means the plan's budget: `null`. */
function parseAiBudget(text: string): number | null {
  if (text === 'none') return null;
  const tokens = /^[1-9][0-9]*$/.test(text) ? Number(text) : NaN;
  if (tokens <= maxAiTokensPerDay) return tokens;
  throw new InvalidArgumentError(
    `A budget is a whole number of tokens a day from 1 to ${maxAiTokensPerDay}, or "none" for the plan's budget.`,
  );
}

async function change(
  stores: Stores,
  accountId: string,
  aiTokensPerDay: number | null,
  by: AuditActor,
): Promise<Answer> {
  const changed = changeAccount(stores, { accountId, aiTokensPerDay, by }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'UPGRADE_REQUIRED') throw error;
    throw new Failure(
      `Account ${accountId} is not on the plan enterprise, the only one with its own AI budget. ` +
        'Change the plan first: "cubby account set-plan".',
    );
  });
  const account = await onAccount(accountId, changed);
  const whose =
    account.aiTokensPerDay === null
      ? 'the AI budget of its plan'
      : `an AI budget of its own: ${account.aiTokensPerDay} tokens a day`;
  return { json: accountView(account), text: `Account ${account.id} has ${whose} now.` };
}
