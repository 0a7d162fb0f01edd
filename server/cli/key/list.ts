import type { Command } from 'commander';

import type { ApiKey } from '#server/domain/access/api-key.ts';
import { wireAiLimits } from '#server/domain/access/key-ai-limits.ts';
import { keyStateOf, keyView } from '#server/handlers/operator/views/key.ts';
import { findAccount } from '../account/view.ts';
import { parseAccountId } from '../arguments.ts';
import { columns, instant } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';

export function addKeyList(key: Command, operator: Operator): void {
  const command = key
    .command('list')
    .description("list an account's keys, oldest first, with expired and revoked ones; secrets are never shown")
    .requiredOption('--account <id>', 'account of the keys', parseAccountId);
  operator.list(command, list);
}

async function list(stores: Stores, { account }: { readonly account: string }): Promise<Answer> {
  await findAccount(stores, account);
  const keys = await stores.metadata.read.apiKeys.listOf(account);
  const now = stores.clock.now();
  const header = ['KEY', 'STATE', 'ENDS IN', 'LAST USED', 'EXPIRES', 'SCOPES', 'ONLY', 'AI LIMITS', 'NAME'];
  return {
    json: keys.map((key) => keyView(key, now)),
    text:
      keys.length === 0
        ? `Account ${account} has no keys. "cubby key create" makes one.`
        : columns([header, ...keys.map((key) => rowOf(key, now))]),
  };
}

function rowOf(key: ApiKey, now: number): string[] {
  const only = [...(key.resources ?? []), ...(key.prefixes ?? []).map((prefix) => `${prefix}/`)].join(',');
  return [
    key.id,
    keyStateOf(key, now),
    `…${key.last4}`,
    minute(key.lastUsedAt),
    minute(key.expiresAt),
    key.scopes.join(','),
    only || 'all',
    limitsOf(key),
    key.name,
  ];
}

/** Formats limits as `tokens_per_day=200000 models=cubic`. */
function limitsOf({ ai }: ApiKey): string {
  const limits = Object.entries(wireAiLimits(ai) ?? {});
  return limits.map(([name, value]) => `${name}=${String(value)}`).join(' ') || 'none';
}

/** Formats as `2026-04-21 09:30Z`. The last use is stored to the minute. */
function minute(at: number | null): string {
  return (
    instant(at)
      ?.replace('T', ' ')
      .replace(/:\d\d\.\d+Z$/, 'Z') ?? 'never'
  );
}
