import { addScrubStart } from './start.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addScrubStart];
