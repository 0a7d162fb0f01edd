import { addKeyCreate } from './create.ts';
import { addKeyImportLegacy } from './import-legacy.ts';
import { addKeyList } from './list.ts';
import { addKeyRevoke } from './revoke.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addKeyCreate, addKeyList, addKeyRevoke, addKeyImportLegacy];
