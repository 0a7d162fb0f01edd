import type { Command } from 'commander';

import { createOperatorKey } from '#server/domain/operator/create-operator-key.ts';
import { parseLabel, parseLifetime } from '../arguments.ts';
import { facts, instant } from '../columns.ts';
import type { Answer, Operator } from '../operator.ts';

interface Options {
  readonly name: string;
  /** Milliseconds. */
  readonly expiresIn?: number;
}

export function addOperatorKeyCreate(key: Command, operator: Operator): void {
  key
    .command('create')
    .description("create a key of the operator's door; it may do everything there, and is shown only once")
    .requiredOption('--name <name>', 'display name, 1 to 64 characters', parseLabel)
    .option('--expires-in <duration>', 'lifetime, such as 90d or 12h; without it the key never expires', parseLifetime)
    .action(operator.action((options: Options) => create(operator, options)));
}

async function create(operator: Operator, { name, expiresIn }: Options): Promise<Answer> {
  const lifetime = expiresIn === undefined ? {} : { lifetimeMs: expiresIn };
  const { key, credential } = await operator.onStores((stores) =>
    createOperatorKey(stores, { name, ...lifetime, by: operator.actor }),
  );
  const { ports, urls } = operator.config();
  const address = urls.operator ?? `http://localhost:${ports.operator || '<port>'}`;
  const rows = [
    ['key id', key.id],
    ['operator key', credential],
    ['expires', instant(key.expiresAt) ?? 'never'],
  ] as const;
  return {
    json: { operator_key_id: key.id, operator_key: credential },
    text: `${facts(`The operator key "${name}" was created.`, rows)}

Save it now: it is shown only once and stored nowhere. It works at once, also on a running server:

  curl -H "Authorization: ${credential}" "${address}/v2/operator/installation"`,
  };
}
