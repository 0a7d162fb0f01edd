import type { FeatureCommands } from '#server/cli/feature-commands.ts';
import { addLegacyImport } from './legacy/import.ts';
import { addPurgesList } from './purges/list.ts';

/** The commands of imported files and of purges. */
export const commands: readonly FeatureCommands[] = [
  { group: 'legacy', description: 'import files of an earlier service', after: 'jobs', adds: [addLegacyImport] },
  { group: 'purges', description: 'addresses that the CDN has yet to drop', after: 'scrub', adds: [addPurgesList] },
];
