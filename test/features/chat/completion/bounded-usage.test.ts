import { describe, expect, it } from 'vitest';

import { boundedUsage } from '#server/features/chat/completion/bounded-usage.ts';

const held = { inputTokens: 100, maxOutputTokens: 50 };

describe('boundedUsage()', () => {
  it('returns a usage close to the held tokens unchanged', () => {
    expect(boundedUsage({ inputTokens: 7, outputTokens: 3 }, held)).toEqual({ inputTokens: 7, outputTokens: 3 });
    expect(boundedUsage({ inputTokens: 1224, outputTokens: 1124, isEstimated: true }, held)).toEqual({
      inputTokens: 1224,
      outputTokens: 1124,
      isEstimated: true,
    });
  });

  it('cuts each kind to twice the held tokens plus 1,024', () => {
    expect(boundedUsage({ inputTokens: 1e15, outputTokens: 3 }, held)).toEqual({ inputTokens: 1224, outputTokens: 3 });
    expect(boundedUsage({ inputTokens: 7, outputTokens: 1125 }, held)).toEqual({ inputTokens: 7, outputTokens: 1124 });
  });
});
