import type { FeatureCommands } from '#server/cli/feature-commands.ts';

/** The commands of budgets, charges and limits in the AI gateway. */
export const commands: readonly FeatureCommands[] = [
  { group: 'account', after: 'set-quota', load: () => import('./account.ts') },
  { group: 'key', after: 'list', load: () => import('./key.ts') },
];
