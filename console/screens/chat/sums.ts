import type { ChatUsageGroup } from '#dist/modules/client/index.js';

import { daysBetween } from '../usage/days.ts';

/** Usage that was added up under one name. */
export interface Sum {
  /** The key that tells sums apart, and the name for people. */
  readonly id: string;
  readonly name: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly spend: number;
  readonly cost: number;
  readonly cached: number;
}

export type Dimension = 'day' | 'key' | 'model';

/** Adds usage up by day, key or model. Days come newest first, keys and models with the most tokens first. */
export function sumsBy(dimension: Dimension, groups: readonly ChatUsageGroup[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const group of groups) {
    const id = (dimension === 'day' ? group.day : dimension === 'key' ? group.key_id : group.model) ?? '';
    const before = sums.get(id);
    sums.set(id, {
      id,
      name: dimension === 'key' ? (group.key_name ?? id) : id,
      requests: (before?.requests ?? 0) + group.requests,
      inputTokens: (before?.inputTokens ?? 0) + group.input_tokens,
      outputTokens: (before?.outputTokens ?? 0) + group.output_tokens,
      spend: (before?.spend ?? 0) + group.spend,
      cost: (before?.cost ?? 0) + group.cost,
      cached: (before?.cached ?? 0) + group.cached_requests,
    });
  }
  const all = [...sums.values()];
  return dimension === 'day'
    ? all.sort((one, other) => (one.id < other.id ? 1 : -1))
    : all.sort((one, other) => tokensOf(other) - tokensOf(one));
}

function tokensOf({ inputTokens, outputTokens }: Sum): number {
  return inputTokens + outputTokens;
}

/** Returns the tokens of every day of a range. Days without usage have 0, because none was charged on them. */
export function tokensOfDays(
  from: string,
  to: string,
  groups: readonly ChatUsageGroup[],
): { days: string[]; tokens: number[] } {
  const sums = new Map(sumsBy('day', groups).map((sum) => [sum.id, tokensOf(sum)]));
  const days = from === to ? [from] : [from, ...daysBetween(from, to), to];
  return { days, tokens: days.map((day) => sums.get(day) ?? 0) };
}
