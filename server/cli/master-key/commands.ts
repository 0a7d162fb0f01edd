import { addMasterKeyAccept } from './accept.ts';
import { addMasterKeyFinish } from './finish.ts';
import { addMasterKeyRotate } from './rotate.ts';
import { addMasterKeyStatus } from './status.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addMasterKeyRotate, addMasterKeyStatus, addMasterKeyFinish, addMasterKeyAccept];
