import type { ErrorCode } from '#generated/errors.ts';
import type { ChatUsageHistory } from '#generated/types.ts';
import type { ChatHistory } from '../usage/chat-history.ts';
import { spendOf } from '../budgets/chat-quota.ts';
import type { UsageDimension, UsageQuery } from '../budgets/table.ts';
import { amountOfCost } from '#server/domain/money.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { dateOf, dayRangeOf } from '#server/handlers/day-range.ts';

interface Query {
  readonly from?: string;
  readonly to?: string;
  readonly group_by?: string;
  readonly limit?: number;
  readonly page?: number;
}

/**
 * Reads what a request asks for.
 *
 * @param rangeCode the code for days that do not exist or are in the wrong order
 * @param groupCode the code for a dimension that is named twice
 */
export function usageQueryOf(
  { from, to, group_by = 'day', limit = 1000, page = 1 }: Query,
  now: number,
  rangeCode: ErrorCode,
  groupCode: ErrorCode,
): UsageQuery {
  const range = dayRangeOf({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, now, rangeCode);
  const dimensions = group_by.split(',') as UsageDimension[];
  if (new Set(dimensions).size !== dimensions.length)
    throw new Refusal(groupCode, { message: '`group_by` must name `day`, `key` and `model` once at most.' });
  return { ...range, groupBy: new Set(dimensions), offset: (page - 1) * limit, limit };
}

/** Returns the usage as clients see it. */
export function wireHistory(
  { from, to }: UsageQuery,
  { groups, hasMore }: ChatHistory,
  currency: string | undefined,
): ChatUsageHistory {
  return {
    from: dateOf(from),
    to: dateOf(to),
    ...(currency !== undefined && { currency }),
    data: groups.map(({ day, keyId, keyName, model, requests, inputTokens, outputTokens, cost, cachedRequests }) => ({
      ...(day !== null && { day: dateOf(day) }),
      ...(keyId !== null && { key_id: keyId }),
      ...(keyName !== undefined && { key_name: keyName }),
      ...(model !== null && { model }),
      requests,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      spend: spendOf({ inputTokens, outputTokens }),
      cost: amountOfCost(cost),
      cached_requests: cachedRequests,
    })),
    has_more: hasMore,
  };
}
