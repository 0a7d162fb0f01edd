import type { FeatureCommands } from '#server/cli/feature-commands.ts';
import { addListen } from './listen.ts';

/** The commands of events. */
export const commands: readonly FeatureCommands[] = [{ after: 'migrate', adds: [addListen] }];
