import type { Command } from 'commander';

import { shownDatabase } from '#server/config/database-url.ts';
import type { Answer, Operator } from './operator.ts';

export function addMigrate(cubby: Command, operator: Operator): void {
  cubby
    .command('migrate')
    .description('bring the database up to date; a server start and every other command do this too')
    .action(operator.action(() => migrate(operator)));
}

async function migrate(operator: Operator): Promise<Answer> {
  const config = operator.config();
  const [{ migrateStores }, { openLog }] = await Promise.all([
    import('#server/stores/open.ts'),
    import('#server/log.ts'),
  ]);
  const { applied, version } = await migrateStores(config, openLog(config.logLevel));
  const database = config.databaseUrl
    ? `the database ${shownDatabase(config.databaseUrl)}`
    : `the database in ${config.dataDir}`;
  const text =
    applied.length === 0
      ? `Nothing to do: ${database} is already at version ${version}.`
      : `Now ${database} is at version ${version}. Applied:${applied.map((name) => `\n  ${name}`).join('')}`;
  return { json: { version, applied }, text };
}
