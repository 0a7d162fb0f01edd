import type { FeatureCommands } from '#server/cli/feature-commands.ts';

/** The commands of imported files and of purges. */
export const commands: readonly FeatureCommands[] = [
  {
    group: 'legacy',
    description: 'import files of an earlier service',
    after: 'jobs',
    load: () => import('./legacy/commands.ts'),
  },
  {
    group: 'purges',
    description: 'addresses that the CDN has yet to drop',
    after: 'scrub',
    load: () => import('./purges/commands.ts'),
  },
];
