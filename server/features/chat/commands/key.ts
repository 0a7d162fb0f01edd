import { addKeySetAiLimits } from './set-ai-limits.ts';

/** Adds to the commands of keys. */
export const adds = [addKeySetAiLimits];
