import { expect, it } from 'vitest';

import { sumOfUsage } from '#server/features/chat/conversation/sum-of-usage.ts';

it.each([
  ['counts', { inputTokens: 1, outputTokens: 2 }, { inputTokens: 10, outputTokens: 20 }, [11, 22]],
  [
    'parts that both name',
    { inputTokens: 5, outputTokens: 6, cachedInputTokens: 1, reasoningTokens: 2 },
    { inputTokens: 50, outputTokens: 60, cachedInputTokens: 10, reasoningTokens: 20 },
    [55, 66, 11, 22],
  ],
  [
    'parts that one names',
    { inputTokens: 5, outputTokens: 6 },
    { inputTokens: 50, outputTokens: 60, cachedInputTokens: 10, reasoningTokens: 0 },
    [55, 66, 10, 0],
  ],
] as const)('sumOfUsage() adds %s', (_what, one, other, sums) => {
  const [inputTokens, outputTokens, cachedInputTokens, reasoningTokens] = sums;
  const sum = {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens, reasoningTokens }),
  };
  expect(sumOfUsage(one, other)).toEqual(sum);
  expect(sumOfUsage(other, one)).toEqual(sum);
});

it('sumOfUsage() is an estimate when one of both is', () => {
  const counted = { inputTokens: 1, outputTokens: 1 };
  const estimated = { ...counted, isEstimated: true } as const;
  expect(sumOfUsage(counted, estimated)).toMatchObject({ isEstimated: true });
  expect(sumOfUsage(estimated, counted)).toMatchObject({ isEstimated: true });
  expect(sumOfUsage(counted, counted)).not.toHaveProperty('isEstimated');
});
