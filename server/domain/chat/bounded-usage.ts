import type { TokenUsage } from './conversation.ts';

/**
 * What a model's server counts beyond what was held for it (its own instructions, another vocabulary) is believed up to
 * this.
 */
const overrun = { factor: 2, tokens: 1024 } as const;

/**
 * What a server counted for a round, within bounds of what was held for it: one that counts nonsense must not spend a
 * budget.
 */
export function boundedUsage(
  counted: TokenUsage,
  held: { readonly inputTokens: number; readonly maxOutputTokens: number },
): TokenUsage {
  return {
    ...counted,
    inputTokens: bounded(counted.inputTokens, held.inputTokens),
    outputTokens: bounded(counted.outputTokens, held.maxOutputTokens),
  };
}

function bounded(countedTokens: number, heldTokens: number): number {
  return Math.min(countedTokens, overrun.factor * heldTokens + overrun.tokens);
}
