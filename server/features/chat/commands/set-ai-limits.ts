import type { Command } from 'commander';

import { changeKey } from '#server/domain/access/change-key.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { keyView } from '#server/handlers/operator/views/key.ts';
import { facts } from '#server/cli/columns.ts';
import { Failure, type Answer, type Operator, type Stores } from '#server/cli/operator.ts';
import { aiLimitRows, aiLimitsOf, withAiLimits, type AiLimitOptions } from '#server/cli/key/ai-limits.ts';

interface Options extends AiLimitOptions {
  readonly none?: true;
}

export function addKeySetAiLimits(key: Command, operator: Operator): void {
  const command = key
    .command('set-ai-limits')
    .description('change the limits of a key in the AI gateway, in force from its next request; others stay')
    .argument('<key-id>', 'key id from "npm run -s cubby -- key list"');
  withAiLimits(command, true)
    .option('--none', 'remove all limits')
    .action(
      operator.storesAction((stores, keyId: string, options: Options) =>
        change(stores, keyId, options, operator.actor),
      ),
    );
}

async function change(stores: Stores, keyId: string, options: Options, by: AuditActor): Promise<Answer> {
  const limits = aiLimitsOf(options);
  if ((options.none !== undefined) === (limits !== undefined))
    throw new Failure('Give at least one limit, or --none alone to remove all of them.');
  const key = await changeKey(stores, keyId, limits ?? null, by);
  const rows = aiLimitRows(key.ai);
  return {
    json: keyView(key, stores.clock.now()),
    text:
      rows.length === 0
        ? `The key "${key.name}" has no limits of its own in the AI gateway now.`
        : facts(`The key "${key.name}" has these limits now, under those of the plan.`, rows),
  };
}
