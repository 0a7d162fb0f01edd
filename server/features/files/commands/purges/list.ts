import type { Command } from 'commander';

import { listPurges } from '../../list-purges.ts';
import type { WaitingPurge } from '../../purges-table.ts';
import { purgeView } from '../../handlers/purge-view.ts';
import { columns, instant } from '#server/cli/columns.ts';
import type { Answer, Operator, Stores } from '#server/cli/operator.ts';

export function addPurgesList(purges: Command, operator: Operator): void {
  operator.list(
    purges.command('list').description('show the public addresses that the CDN has yet to drop, oldest change first'),
    list,
  );
}

/** Purges that are read at a time. */
const pageSize = 1_000;

async function list(stores: Stores): Promise<Answer> {
  const purges: WaitingPurge[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listPurges(stores, { limit: pageSize, cursor });
    purges.push(...page.rows);
    cursor = page.next;
    if (cursor === undefined) break;
  }
  const rows = purges.map(({ failedTries, dueAt, url }) => [instant(dueAt), String(failedTries), url]);
  return {
    json: purges.map(purgeView),
    text: rows.length === 0 ? 'No purge waits.' : columns([['DUE', 'FAILED', 'ADDRESS'], ...rows]),
  };
}
