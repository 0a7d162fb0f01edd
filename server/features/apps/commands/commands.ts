import type { FeatureCommands } from '#server/cli/feature-commands.ts';
import { addAppCreate } from './create.ts';
import { addAppList } from './list.ts';

/** The commands of applications. */
export const commands: readonly FeatureCommands[] = [
  {
    group: 'app',
    description: 'create applications, which group deploys and errors',
    after: 'key',
    adds: [addAppCreate, addAppList],
  },
];
