import type { FeatureCommands } from '#server/cli/feature-commands.ts';
import { addEdgeLogImport } from './edge-log/import.ts';

/** The commands of access logs. */
export const commands: readonly FeatureCommands[] = [
  { group: 'edge-log', description: 'import access logs of the edge', after: 'jobs', adds: [addEdgeLogImport] },
];
