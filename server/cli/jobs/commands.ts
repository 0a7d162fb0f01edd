import { addJobsConfirmClock } from './confirm-clock.ts';
import { addJobsList } from './list.ts';
import { addJobsRun } from './run.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addJobsList, addJobsRun, addJobsConfirmClock];
