import type { FeatureCommands } from '#server/cli/feature-commands.ts';

/** The commands of deploys. */
export const commands: readonly FeatureCommands[] = [
  {
    group: 'deploys',
    description: 'run deploys of pushed commits, show and cancel them',
    before: 'installation',
    load: () => import('./deploys.ts'),
  },
];
