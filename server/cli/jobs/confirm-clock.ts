import type { Command } from 'commander';

import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { confirmClock } from '#server/domain/jobs/confirm-clock.ts';
import { readClock } from '#server/domain/jobs/watch-clock.ts';
import type { Answer, Operator, Stores } from '../operator.ts';

export function addJobsConfirmClock(parent: Command, operator: Operator): void {
  parent
    .command('confirm-clock')
    .description('confirm that the clock is right, so that automatic deletion continues after a jump')
    .action(operator.storesAction((stores) => confirm(stores, operator.actor)));
}

async function confirm(stores: Stores, by: AuditActor): Promise<Answer> {
  // This also records and confirms a jump that was not noticed yet.
  await readClock(stores);
  const wasWaiting = await confirmClock(stores, by);
  return {
    json: { was_waiting: wasWaiting },
    text: wasWaiting
      ? 'Automatic deletion continues with the next run of the jobs.'
      : 'Nothing to do: automatic deletion was not waiting.',
  };
}
