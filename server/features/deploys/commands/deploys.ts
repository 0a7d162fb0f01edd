import { addDeploysControl } from './control.ts';
import { addDeploysList } from './list.ts';
import { addDeploysRun } from './run.ts';
import { addDeploysShow } from './show.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addDeploysList, addDeploysShow, addDeploysRun, addDeploysControl];
