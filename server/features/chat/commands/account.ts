import { addAccountAiUsage } from './ai-usage.ts';
import { addAccountSetAiLimits } from './set-account-ai-limits.ts';
import { addAccountSetAiBudget } from './set-ai-budget.ts';

/** Add to the commands of accounts. */
export const adds = [addAccountSetAiBudget, addAccountSetAiLimits, addAccountAiUsage];
