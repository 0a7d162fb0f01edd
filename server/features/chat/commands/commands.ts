import type { FeatureCommands } from '#server/cli/feature-commands.ts';
import { addAccountAiUsage } from './ai-usage.ts';
import { addAccountSetAiLimits } from './set-account-ai-limits.ts';
import { addAccountSetAiBudget } from './set-ai-budget.ts';
import { addKeySetAiLimits } from './set-ai-limits.ts';

/** The commands of budgets, charges and limits in the AI gateway. */
export const commands: readonly FeatureCommands[] = [
  { group: 'account', after: 'set-quota', adds: [addAccountSetAiBudget, addAccountSetAiLimits, addAccountAiUsage] },
  { group: 'key', after: 'list', adds: [addKeySetAiLimits] },
];
