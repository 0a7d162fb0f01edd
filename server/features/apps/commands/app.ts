import { addAppCreate } from './create.ts';
import { addAppList } from './list.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addAppCreate, addAppList];
