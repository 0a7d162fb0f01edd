import type { FeatureCommands } from '#server/cli/feature-commands.ts';

/** The commands of access logs. */
export const commands: readonly FeatureCommands[] = [
  {
    group: 'edge-log',
    description: 'import access logs of the edge',
    after: 'jobs',
    load: () => import('./edge-log/commands.ts'),
  },
];
