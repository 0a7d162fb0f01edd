import type { FeatureCommands } from '#server/cli/feature-commands.ts';

/** The commands of events. */
export const commands: readonly FeatureCommands[] = [{ after: 'migrate', load: () => import('./events.ts') }];
