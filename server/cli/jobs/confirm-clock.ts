import type { Command } from 'commander';

import { confirmClock } from '#server/domain/jobs/confirm-clock.ts';
import { readClock } from '#server/domain/jobs/watch-clock.ts';
import type { Answer, Operator } from '../operator.ts';

export function addJobsConfirmClock(parent: Command, operator: Operator): void {
  parent
    .command('confirm-clock')
    .description('the clock is right: let automatic deletion go on after it jumped')
    .action(operator.answering(() => confirm(operator)));
}

async function confirm(operator: Operator): Promise<Answer> {
  const wasWaiting = await operator.onStores(async (stores) => {
    // A jump that nobody has noticed yet is confirmed too, and not noticed afterwards.
    await readClock(stores);
    return confirmClock(stores);
  });
  return {
    json: { was_waiting: wasWaiting },
    text: wasWaiting
      ? 'Automatic deletion goes on with the next run of the jobs.'
      : 'Nothing to do: automatic deletion was not waiting.',
  };
}
