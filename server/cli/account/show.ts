import { wireAccountAiLimits, type AiLimits } from '#server/domain/account/account-ai-limits.ts';
import type { Command } from 'commander';

import { accountView, stateOf } from '#server/handlers/operator/views/account.ts';
import { parseAccountId } from '../arguments.ts';
import { facts, instant } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { findAccount, sizeText, usageText } from './view.ts';

export function addAccountShow(account: Command, operator: Operator): void {
  account
    .command('show')
    .description('show one account')
    .argument('<id>', 'account id', parseAccountId)
    .action(operator.storesAction(show));
}

async function show(stores: Stores, accountId: string): Promise<Answer> {
  const account = await findAccount(stores, accountId);
  const { length: liveKeys } = await stores.metadata.read.apiKeys.liveOf(accountId, stores.clock.now());
  const { quotaBytes, aiTokensPerDay, aiLimits, plan } = account;
  const budgetNote = plan === 'enterprise' ? '' : ' (applies on enterprise only)';
  const rows = [
    ['name', account.name],
    ['plan', plan],
    ['state', stateOf(account)],
    ['stores', usageText(account)],
    ['quota', quotaBytes === null ? "the plan's" : `its own, ${sizeText(quotaBytes)} (${quotaBytes} bytes)`],
    ['AI budget', aiTokensPerDay === null ? "the plan's" : `its own, ${aiTokensPerDay} tokens a day${budgetNote}`],
    ['AI limits', aiLimits === null ? "the plan's" : `its own, ${aiLimitsText(aiLimits)}`],
    ['live keys', `${liveKeys} ("npm run -s cubby -- key list --account ${account.id}")`],
    ['made', instant(account.createdAt)],
  ] as const;
  return { json: { ...accountView(account), live_keys: liveKeys }, text: facts(`Account ${account.id}`, rows) };
}

/** Returns the limits that are set, for people. */
export function aiLimitsText(limits: AiLimits): string {
  const own = Object.entries(wireAccountAiLimits(limits) ?? {});
  return own.map(([name, limit]) => `${name} ${limit}`).join(', ');
}
