import type { FeatureCommands } from '#server/cli/feature-commands.ts';

/** The commands of applications. */
export const commands: readonly FeatureCommands[] = [
  {
    group: 'app',
    description: 'create applications, which group deploys and errors',
    after: 'key',
    load: () => import('./app.ts'),
  },
];
