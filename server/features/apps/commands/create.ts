import type { Command } from 'commander';

import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { createApp } from '../create-app.ts';
import { noAccount } from '#server/cli/account/view.ts';
import { parseAccountId, parseLabel } from '#server/cli/arguments.ts';
import { appView } from '../handlers/app-view.ts';
import { facts } from '#server/cli/columns.ts';
import type { Answer, Operator, Stores } from '#server/cli/operator.ts';

interface Options {
  readonly account: string;
  readonly name: string;
}

export function addAppCreate(app: Command, operator: Operator): void {
  app
    .command('create')
    .description('create an application of an account')
    .requiredOption('--account <id>', 'account of the application', parseAccountId)
    .requiredOption('--name <name>', 'display name, 1 to 64 characters', (name: string) => parseLabel(name.trim()))
    .action(operator.storesAction((stores, options: Options) => create(stores, options, operator.actor)));
}

async function create(stores: Stores, { account, name }: Options, by: AuditActor): Promise<Answer> {
  const app = await createApp(stores, { accountId: account, name, by });
  if (!app) throw noAccount(account);
  return {
    json: appView(app),
    text: `${facts(`The application "${name}" was created.`, [
      ['application', app.id],
      ['account', account],
    ])}`,
  };
}
