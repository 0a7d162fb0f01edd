import type { TokenUsage } from './conversation.ts';

/**
 * A model's server may count more tokens than were held, because of its own instructions or another vocabulary. Counts
 * up to these bounds are charged.
 */
const overrun = { factor: 2, tokens: 1024 } as const;

/**
 * Limits what a model's server counted for a round by what was held for it, so that a server that counts wrong cannot
 * spend a budget.
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
