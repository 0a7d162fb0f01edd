import type { Command } from 'commander';

import type { Account } from '#server/domain/account/account.ts';
import { listAccounts } from '#server/domain/account/list-accounts.ts';
import { accountView, stateOf } from '#server/handlers/operator/views/account.ts';
import { parseSearch } from '../arguments.ts';
import { columns } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { usageText } from './view.ts';

export function addAccountList(account: Command, operator: Operator): void {
  const command = account
    .command('list')
    .description('show accounts, oldest first')
    .option('--search <text>', 'only accounts whose name contains the text, or whose id begins with it', parseSearch);
  operator.list(command, list);
}

/** Accounts that are read at a time. */
const pageSize = 1_000;

async function list(stores: Stores, { search }: { readonly search?: string }): Promise<Answer> {
  const accounts: Account[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listAccounts(stores, { search, limit: pageSize, cursor });
    accounts.push(...page.rows);
    cursor = page.next;
    if (cursor === undefined) break;
  }
  const rows = accounts.map((one) => [one.id, one.plan, stateOf(one), usageText(one), one.name]);
  return { json: accounts.map(accountView), text: rows.length === 0 ? none(search) : columns([header, ...rows]) };
}

const header = ['ACCOUNT', 'PLAN', 'STATE', 'STORES', 'NAME'];

function none(search: string | undefined): string {
  return search === undefined
    ? 'There are no accounts. "cubby account create" makes one.'
    : `No account has "${search}" in its name, or an id that begins with it.`;
}
