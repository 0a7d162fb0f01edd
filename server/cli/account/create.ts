import type { Command } from 'commander';

import { createAccount } from '#server/domain/access/create-account.ts';
import type { Plan } from '#server/domain/plan.ts';
import { newAccountView } from '#server/handlers/operator/views/account.ts';
import { parseLabel, parsePlan } from '../arguments.ts';
import { facts } from '../columns.ts';
import { keptNowhere } from '../key/view.ts';
import type { Answer, Operator } from '../operator.ts';

interface Options {
  readonly name: string;
  readonly plan: Plan;
}

export function addAccountCreate(account: Command, operator: Operator): void {
  account
    .command('create')
    .description('create an account and one key with all scopes; the key is shown only once')
    .requiredOption('--name <name>', 'display name, 1 to 64 characters', parseLabel)
    .requiredOption('--plan <plan>', 'hobby, standard, pro, enterprise or none', parsePlan)
    .action(operator.action((options: Options) => create(operator, options)));
}

async function create(operator: Operator, { name, plan }: Options): Promise<Answer> {
  const { accountId, key, credential } = await operator.onStores(
    (stores) => createAccount(stores, { name, plan, by: operator.actor }),
    {
      orNew: true,
    },
  );
  const rows = [
    ['account', accountId],
    ['plan', plan],
    ['key id', key.id],
    ['api key', credential],
  ] as const;
  return {
    json: newAccountView({ accountId, name, plan, key, credential }),
    text: `${facts(`The account "${name}" was created.`, rows)}\n\n${keptNowhere(operator.config(), credential)}`,
  };
}
