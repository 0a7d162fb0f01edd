import { InvalidArgumentError, type Command } from 'commander';

import {
  aiLimitNames,
  aiLimitRanges,
  wireNameOf,
  type AiLimitName,
  type AiLimits,
} from '#server/domain/account/account-ai-limits.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { accountView } from '#server/handlers/operator/views/account.ts';
import { parseDecimal, plainAmount } from '#server/cli/amounts.ts';
import { parseAccountId } from '#server/cli/arguments.ts';
import { Failure, type Answer, type Operator, type Stores } from '#server/cli/operator.ts';
import { onAccount } from '#server/cli/account/change.ts';
import { aiLimitsText } from '#server/cli/account/show.ts';

/** The limit of the plan. Commander would make an empty text of null. */
const ofPlan = 'none';

/** The options, as commander names them. */
type Options = Partial<Record<AiLimitName, number | typeof ofPlan>> & { readonly none?: true };

const meanings: Readonly<Record<AiLimitName, string>> = {
  contextTokens: 'tokens of the messages and tool definitions of a request',
  outputTokens: 'the most tokens of an answer',
  tools: 'tools of a request',
  messages: 'messages of a request',
  concurrent: 'requests at once',
  pacingSeconds: 'seconds from the start of one request to the start of the next',
  costPerDay: 'cost of a day, in the currency of the prices, such as 2.50',
};

export function addAccountSetAiLimits(account: Command, operator: Operator): void {
  const command = account
    .command('set-ai-limits')
    .description('set limits of an account in the AI gateway, in force from its next request; others stay')
    .argument('<id>', 'account id', parseAccountId);
  for (const name of aiLimitNames)
    command.option(`--${optionOf(name)} <n>`, `${meanings[name]}, or "none" for those of the plan`, parserOf(name));
  command
    .option('--none', 'restore all limits of the plan')
    .action(
      operator.storesAction((stores, id: string, options: Options) => change(stores, id, options, operator.actor)),
    );
}

function optionOf(name: AiLimitName): string {
  return wireNameOf(name).replaceAll('_', '-');
}

function parserOf(name: AiLimitName): (text: string) => number | typeof ofPlan {
  const { least, most, decimals = 0 } = aiLimitRanges[name];
  const kind = decimals === 0 ? 'a whole number' : 'a number';
  return (text) => {
    if (text === ofPlan) return ofPlan;
    const value = parseDecimal(text, decimals);
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      `It is ${kind} from ${plainAmount(least)} to ${most}, or "none" for that of the plan.`,
    );
  };
}

async function change(stores: Stores, accountId: string, options: Options, by: AuditActor): Promise<Answer> {
  const { none, ...given } = options;
  const limits = Object.entries(given).map(([name, limit]) => [name, limit === ofPlan ? null : limit]);
  if ((none !== undefined) === limits.length > 0)
    throw new Failure('Give at least one limit, or --none alone to restore all of the plan.');
  const aiLimits: Partial<AiLimits> | null = none ? null : Object.fromEntries(limits);
  const account = await onAccount(accountId, changeAccount(stores, { accountId, aiLimits, by }));
  const { aiLimits: own } = account;
  const has = own ? `AI limits of its own: ${aiLimitsText(own)}` : 'the AI limits of its plan';
  return { json: accountView(account), text: `Account ${account.id} has ${has} now.` };
}
