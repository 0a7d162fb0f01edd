import { addPurgesList } from './list.ts';

/** Adds the commands of the group, in the order of the help. */
export const adds = [addPurgesList];
