import type { TokenUsage } from '../conversation/conversation.ts';
import type { ReservedTokens } from './meter.ts';

/**
 * A model's server may count more tokens than were reserved, because of its own instructions or another vocabulary.
 * Counts up to these bounds are charged.
 */
const overrun = { factor: 2, tokens: 1024 } as const;

/**
 * Caps the usage that a model's server counted for a round, relative to the tokens that were reserved for it. A server
 * that counts wrong can therefore not spend a budget.
 */
export function boundedUsage(counted: TokenUsage, reserved: ReservedTokens): TokenUsage {
  const { cachedInputTokens, reasoningTokens } = counted;
  const inputTokens = bounded(counted.inputTokens, reserved.inputTokens);
  const outputTokens = bounded(counted.outputTokens, reserved.maxOutputTokens);
  return {
    ...counted,
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens: Math.min(cachedInputTokens, inputTokens) }),
    ...(reasoningTokens !== undefined && { reasoningTokens: Math.min(reasoningTokens, outputTokens) }),
  };
}

function bounded(countedTokens: number, reservedTokens: number): number {
  return Math.min(countedTokens, overrun.factor * reservedTokens + overrun.tokens);
}
