import type { Command } from 'commander';

import { accountStats, type AccountStats } from '#server/domain/account/account-stats.ts';
import { usageView } from '#server/handlers/operator/views/usage.ts';
import { parseAccountId } from '../arguments.ts';
import { facts } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { findAccount, sizeText } from './view.ts';

export function addAccountUsage(account: Command, operator: Operator): void {
  account
    .command('usage')
    .description('show what an account stores, what it would cost, and the requests of this month')
    .argument('<id>', 'account id', parseAccountId)
    .action(operator.storesAction(show));
}

/** A command runs once, so it has nothing to keep. */
const cache = { get: () => undefined, set: () => {} };

async function show(stores: Stores, accountId: string): Promise<Answer> {
  const stats = await accountStats({ ...stores, cache }, await findAccount(stores, accountId));
  return { json: usageView(stats), text: facts(`Account ${accountId}`, rowsOf(stats)) };
}

function rowsOf({ usedObjects, usedBytes, includedBytes, extraBytes, storageCents, month, traffic }: AccountStats) {
  return [
    ['files', String(usedObjects)],
    ['stores', sizeText(usedBytes)],
    ['plan includes', sizeText(includedBytes)],
    ['beyond that', `${sizeText(extraBytes)}, R$ ${(storageCents / 100).toFixed(2)} a month`],
    ['mean of the month', `${sizeText(Math.round(month.averageBytes))} over ${month.days} days`],
    ['this month', `${traffic.requests} requests, ${sizeText(traffic.egressBytes)} sent`],
  ] as const;
}
