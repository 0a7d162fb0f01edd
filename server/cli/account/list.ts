import type { Command } from 'commander';

import { columns } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { accountJson, usageText } from './view.ts';

export function addAccountList(account: Command, operator: Operator): void {
  account.command('list').description('show all accounts, oldest first').action(operator.storesAction(list));
}

async function list(stores: Stores): Promise<Answer> {
  const accounts = await stores.metadata.read.accounts.list();
  const rows = accounts.map((account) => [account.id, account.plan, usageText(account), account.name]);
  return {
    json: accounts.map(accountJson),
    text:
      rows.length === 0
        ? 'There are no accounts. "cubby account create" makes one.'
        : columns([['ACCOUNT', 'PLAN', 'STORES', 'NAME'], ...rows]),
  };
}
