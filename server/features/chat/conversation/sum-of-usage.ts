import type { TokenUsage } from './conversation.ts';

/** Returns the tokens of two turns together. */
export function sumOfUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const isEstimated = one.isEstimated ?? other.isEstimated;
  const sum = (part: 'cachedInputTokens' | 'reasoningTokens') =>
    one[part] === undefined && other[part] === undefined
      ? undefined
      : { [part]: (one[part] ?? 0) + (other[part] ?? 0) };
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...sum('cachedInputTokens'),
    ...sum('reasoningTokens'),
    ...(isEstimated && { isEstimated }),
  };
}
