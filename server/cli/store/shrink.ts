import type { Command } from 'commander';

import { bytesText } from '../progress-line.ts';
import { Failure, type Answer, type Operator } from '../operator.ts';

const about = `rewrite the SQLite database without unused bytes, and empty its log

Stop the server first. It takes seconds for each gigabyte, and needs space for
twice the database. Afterwards nothing deleted is left in its files.`;

export function addStoreShrink(store: Command, operator: Operator): void {
  store
    .command('shrink')
    .summary('rewrite the SQLite database without unused bytes')
    .description(about)
    .action(operator.action(() => shrink(operator)));
}

async function shrink(operator: Operator): Promise<Answer> {
  const config = operator.config();
  if (config.databaseUrl)
    throw new Failure(
      'PostgreSQL reuses the space of deleted rows by itself. VACUUM FULL, run by psql, shrinks its tables.',
    );
  await operator.requireDatabase(config);
  const { shrinkDatabase } = await import('#server/stores/shrink-database.ts');
  const { beforeBytes, afterBytes } = await shrinkDatabase(config);
  return {
    json: { before_bytes: beforeBytes, after_bytes: afterBytes },
    text: `The database has ${bytesText(afterBytes)}. It had ${bytesText(beforeBytes)}.`,
  };
}
