import { addAccountAiUsage } from './ai-usage.ts';
import { addAccountSetAiLimits } from './set-account-ai-limits.ts';
import { addAccountSetAiBudget } from './set-ai-budget.ts';

/** Adds to the commands of accounts. */
export const adds = [addAccountSetAiBudget, addAccountSetAiLimits, addAccountAiUsage];
