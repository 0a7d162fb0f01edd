import type { Command } from 'commander';

import type { App } from '#server/domain/apps/app.ts';
import { listApps } from '#server/domain/apps/list-apps.ts';
import { noAccount } from '../account/view.ts';
import { parseAccountId } from '../arguments.ts';
import { columns } from '../columns.ts';
import { instant } from '../key/view.ts';
import type { Answer, Operator } from '../operator.ts';

export function addAppList(app: Command, operator: Operator): void {
  app
    .command('list')
    .description("list an account's applications: the built-in one first, then oldest first")
    .requiredOption('--account <id>', 'account of the applications', parseAccountId)
    .action(operator.answering((options: { readonly account: string }) => list(operator, options.account)));
}

async function list(operator: Operator, accountId: string): Promise<Answer> {
  return operator.onStores(async (stores) => {
    if (!(await stores.metadata.read.accounts.find(accountId))) throw noAccount(accountId);
    const apps = await listApps(stores, accountId);
    return {
      json: apps.map(appJson),
      text: columns([
        ['APPLICATION', 'CREATED', 'NAME'],
        ...apps.map((app) => [app.id, instant(app.createdAt), `${app.name}${app.isBuiltIn ? ' (built in)' : ''}`]),
      ]),
    };
  });
}

function appJson({ id, name, createdAt, isBuiltIn }: App) {
  return { app_id: id, name, created_at: instant(createdAt), built_in: isBuiltIn };
}
