import type { Command } from 'commander';

import { createKey, type CreatedKey } from '#server/domain/access/create-key.ts';
import { scopes as allScopes, type Scope } from '#server/domain/access/scope.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { newKeyView } from '#server/handlers/operator/views/key.ts';
import { findAccount } from '../account/view.ts';
import { parseAccountId, parseLabel, parseLifetime, parsePrefixes, parseResources, parseScopes } from '../arguments.ts';
import { facts, instant } from '../columns.ts';
import type { Answer, Operator } from '../operator.ts';
import { aiLimitRows, aiLimitsOf, withAiLimits, type AiLimitOptions } from './ai-limits.ts';
import { keptNowhere } from './view.ts';

interface Options extends AiLimitOptions {
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly resources?: readonly string[];
  readonly prefixes?: readonly Prefix[];
  /** Milliseconds. */
  readonly expiresIn?: number;
}

export function addKeyCreate(key: Command, operator: Operator): void {
  const command = key
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption('--account <id>', 'account of the key', parseAccountId)
    .requiredOption('--name <name>', 'display name, 1 to 64 characters', parseLabel)
    .requiredOption('--scopes <list>', 'what the key may do: scopes joined by commas, or "*" for all', parseScopes)
    .option(
      '--resources <list>',
      'limit the key to these applications; not allowed with blob scopes or "*"',
      parseResources,
    )
    .option('--prefixes <list>', 'limit the key to these prefixes; not allowed with "*"', parsePrefixes)
    .option('--expires-in <duration>', 'lifetime, such as 90d or 12h; without it the key never expires', parseLifetime);
  withAiLimits(command, false)
    .addHelpText('after', `\nScopes:\n  ${allScopes.join('\n  ')}`)
    .action(operator.action((options: Options) => create(operator, options)));
}

async function create(operator: Operator, options: Options): Promise<Answer> {
  const { account, name, scopes, resources, prefixes, expiresIn } = options;
  const ai = aiLimitsOf(options);
  const { key, credential }: CreatedKey = await operator.onStores(async (stores) => {
    await findAccount(stores, account);
    return createKey(stores, {
      accountId: account,
      ...{ name, scopes },
      ...(resources && { resources }),
      ...(prefixes && { prefixes }),
      ...(ai && { ai }),
      by: operator.actor,
      ...(expiresIn !== undefined && { lifetimeMs: expiresIn }),
    });
  });
  const rows = [
    ['account', account],
    ['key id', key.id],
    ['api key', credential],
    ['scopes', key.scopes.join(', ')],
    ...(key.resources ? [['resources', key.resources.join(', ')] as const] : []),
    ...(key.prefixes ? [['prefixes', key.prefixes.join(', ')] as const] : []),
    ...aiLimitRows(key.ai),
    ['expires', instant(key.expiresAt) ?? 'never'],
  ] as const;
  return {
    json: newKeyView({ key, credential }),
    text: `${facts(`The key "${key.name}" was created.`, rows)}\n\n${keptNowhere(operator.config(), credential)}`,
  };
}
