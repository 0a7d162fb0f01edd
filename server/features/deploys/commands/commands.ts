import type { FeatureCommands } from '#server/cli/feature-commands.ts';
import { addDeploysControl } from './control.ts';
import { addDeploysList } from './list.ts';
import { addDeploysRun } from './run.ts';
import { addDeploysShow } from './show.ts';

/** The commands of deploys. */
export const commands: readonly FeatureCommands[] = [
  {
    group: 'deploys',
    description: 'run deploys of pushed commits, show and cancel them',
    before: 'installation',
    adds: [addDeploysList, addDeploysShow, addDeploysRun, addDeploysControl],
  },
];
