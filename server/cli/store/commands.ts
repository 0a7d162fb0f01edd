import { addStoreCheck } from './check.ts';
import { addStoreMigrate } from './migrate.ts';
import { addStoreShrink } from './shrink.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addStoreCheck, addStoreMigrate, addStoreShrink];
