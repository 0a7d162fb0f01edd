import { addAccountChanges } from './change.ts';
import { addAccountCreate } from './create.ts';
import { addAccountList } from './list.ts';
import { addAccountShow } from './show.ts';
import { addAccountUsage } from './usage.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addAccountCreate, addAccountList, addAccountShow, addAccountChanges, addAccountUsage];
