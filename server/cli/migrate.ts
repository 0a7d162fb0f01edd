import type { Command } from 'commander';

import type { Config } from '#server/config/config.ts';
import { shownDatabase } from '#server/config/database-url.ts';
import { recordMigration } from '#server/domain/audit/record-migration.ts';
import type { Answer, Operator } from './operator.ts';
import { durationText } from './progress-line.ts';

export function addMigrate(cubby: Command, operator: Operator): void {
  cubby
    .command('migrate')
    .description('bring the database up to date; a server start and every other command do this too')
    .option('--dry-run', 'change nothing; say what an upgrade would do, and how long that takes on a copy')
    .action(
      operator.action(({ dryRun = false }: { readonly dryRun?: boolean }) =>
        dryRun ? tryOut(operator) : migrate(operator),
      ),
    );
}

async function migrate(operator: Operator): Promise<Answer> {
  const config = operator.config();
  const { migrateStores } = await import('#server/stores/open.ts');
  const { applied, version } = await migrateStores(config, await operator.log(config));
  if (applied.length > 0) await operator.onStores((stores) => recordMigration(stores, { applied, by: operator.actor }));
  const database = databaseName(config);
  const text =
    applied.length === 0
      ? `Nothing to do: ${database} is already at version ${version}.`
      : `Now ${database} is at version ${version}. Applied:${applied.map((name) => `\n  ${name}`).join('')}`;
  return { json: { version, applied }, text };
}

/** A longer upgrade should be planned: servers of the new version start after it. */
async function tryOut(operator: Operator): Promise<Answer> {
  const config = operator.config();
  await operator.requireDatabase(config);
  const { plannedMigrations } = await import('#server/stores/open.ts');
  const planned = await plannedMigrations(config);
  const totalMs = planned.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const json = { pending: planned.map(({ name, durationMs }) => ({ name, duration_ms: durationMs })) };
  const database = databaseName(config);
  if (planned.length === 0) return { json, text: `An upgrade has nothing to do: ${database} is up to date.` };
  const lines = planned.map(({ name, durationMs }) =>
    durationMs === null ? `\n  ${name}` : `\n  ${name}: ${durationText(durationMs)}`,
  );
  const time = config.databaseUrl
    ? 'To learn how long that takes, restore a dump into another database and migrate that one.'
    : `On a copy this took ${durationText(totalMs)}.`;
  return {
    json,
    text:
      `An upgrade of ${database} would apply:${lines.join('')}\n${time} Nothing was changed. Back up before you ` +
      'upgrade, because an older version does not open the database afterwards.',
  };
}

function databaseName({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ? `the database ${shownDatabase(databaseUrl)}` : `the database in ${dataDir}`;
}
