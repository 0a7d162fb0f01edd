import { addInstallationShow } from './show.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addInstallationShow];
