import type { Command } from 'commander';

import { appView } from '../handlers/app-view.ts';
import { findAccount } from '#server/cli/account/view.ts';
import { parseAccountId } from '#server/cli/arguments.ts';
import { columns, instant } from '#server/cli/columns.ts';
import type { Answer, Operator, Stores } from '#server/cli/operator.ts';

export function addAppList(app: Command, operator: Operator): void {
  const command = app
    .command('list')
    .description("list an account's applications: the built-in one first, then oldest first")
    .requiredOption('--account <id>', 'account of the applications', parseAccountId);
  operator.list(command, list);
}

async function list(stores: Stores, { account }: { readonly account: string }): Promise<Answer> {
  await findAccount(stores, account);
  const apps = await stores.metadata.read.apps.listOf(account);
  const rows = apps.map((app) => [app.id, instant(app.createdAt), `${app.name}${app.isBuiltIn ? ' (built in)' : ''}`]);
  return { json: apps.map(appView), text: columns([['APPLICATION', 'CREATED', 'NAME'], ...rows]) };
}
