import { addKeySetAiLimits } from './set-ai-limits.ts';

/** Add to the commands of keys. */
export const adds = [addKeySetAiLimits];
