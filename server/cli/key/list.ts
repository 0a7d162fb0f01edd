import type { Command } from 'commander';

import type { ApiKey } from '#server/domain/access/api-key.ts';
import { listKeys } from '#server/domain/access/list-keys.ts';
import { noAccount } from '../account/view.ts';
import { parseAccountId } from '../arguments.ts';
import { columns } from '../columns.ts';
import type { Answer, Operator } from '../operator.ts';
import { instant, keyJson, stateOf } from './view.ts';

export function addKeyList(key: Command, operator: Operator): void {
  key
    .command('list')
    .description("list an account's keys, oldest first, with expired and revoked ones; secrets are never shown")
    .requiredOption('--account <id>', 'account of the keys', parseAccountId)
    .action(operator.answering((options: { readonly account: string }) => list(operator, options.account)));
}

async function list(operator: Operator, accountId: string): Promise<Answer> {
  return operator.onStores(async (stores) => {
    if (!(await stores.metadata.read.accounts.find(accountId))) throw noAccount(accountId);
    const keys = await listKeys(stores, accountId);
    const now = stores.clock.now();
    const header = ['KEY', 'STATE', 'ENDS IN', 'LAST USED', 'EXPIRES', 'SCOPES', 'ONLY', 'NAME'];
    return {
      json: keys.map((key) => keyJson(key, now)),
      text:
        keys.length === 0
          ? `Account ${accountId} has no keys. "cubby key create" makes one.`
          : columns([header, ...keys.map((key) => rowOf(key, now))]),
    };
  });
}

function rowOf(key: ApiKey, now: number): string[] {
  const only = [...(key.resources ?? []), ...(key.prefixes ?? []).map((prefix) => `${prefix}/`)].join(',');
  return [
    key.id,
    stateOf(key, now),
    `…${key.last4}`,
    minute(key.lastUsedAt),
    minute(key.expiresAt),
    key.scopes.join(','),
    only || 'all',
    key.name,
  ];
}

/** Formats as `2026-04-21 09:30Z`. The last use is stored to the minute. */
function minute(at: number | null): string {
  return (
    instant(at)
      ?.replace('T', ' ')
      .replace(/:\d\d\.\d+Z$/, 'Z') ?? 'never'
  );
}
