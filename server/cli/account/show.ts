import type { Command } from 'commander';

import { showAccount } from '#server/domain/access/show-account.ts';
import { parseAccountId } from '../arguments.ts';
import { facts } from '../columns.ts';
import type { Answer, Operator } from '../operator.ts';
import { accountJson, noAccount, sizeText, usageText } from './view.ts';

export function addAccountShow(account: Command, operator: Operator): void {
  account
    .command('show')
    .description('show one account')
    .argument('<id>', 'account id', parseAccountId)
    .action(operator.answering((accountId: string, _options: object) => show(operator, accountId)));
}

async function show(operator: Operator, accountId: string): Promise<Answer> {
  const found = await operator.onStores((stores) => showAccount(stores, accountId));
  if (!found) throw noAccount(accountId);
  const { account, liveKeys } = found;
  const rows = [
    ['name', account.name],
    ['plan', account.plan],
    ['stores', usageText(account)],
    [
      'quota',
      account.quotaBytes === null
        ? "the plan's"
        : `its own, ${sizeText(account.quotaBytes)} (${account.quotaBytes} bytes)`,
    ],
    [
      'AI budget',
      account.aiTokensPerDay === null
        ? "the plan's"
        : `its own, ${account.aiTokensPerDay} tokens a day${account.plan === 'enterprise' ? '' : ' (applies on enterprise only)'}`,
    ],
    ['live keys', `${liveKeys} ("npm run -s cubby -- key list --account ${account.id}")`],
    ['made', new Date(account.createdAt).toISOString()],
  ] as const;
  return { json: { ...accountJson(account), live_keys: liveKeys }, text: facts(`Account ${account.id}`, rows) };
}
