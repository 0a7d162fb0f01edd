import type { ErrorCode } from '#generated/errors.ts';
import type { ChatUsageHistory } from '#generated/types.ts';
import { dayMs, startOfDay } from '#server/domain/account/usage-days.ts';
import { maxHistoryDays, type ChatHistory } from '#server/domain/chat/chat-history.ts';
import { spendOf } from '#server/domain/chat/chat-quota.ts';
import type { UsageDimension, UsageQuery } from '#server/domain/chat/table.ts';
import { Refusal } from '#server/domain/refusal.ts';

interface Query {
  readonly from?: string;
  readonly to?: string;
  readonly group_by?: string;
  readonly limit?: number;
  readonly page?: number;
}

const defaultDays = 30;

/** Years before it have another form. */
const firstDay = Date.parse('0000-01-01T00:00:00Z');

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
  const last = to === undefined ? startOfDay(now) : dayOf(to, 'to', rangeCode);
  const first = from === undefined ? last - (defaultDays - 1) * dayMs : dayOf(from, 'from', rangeCode);
  if (first < firstDay)
    throw new Refusal(rangeCode, { message: '`to` must be a day from 0000-01-30 on, or `from` must be given.' });
  if (first > last) throw new Refusal(rangeCode, { message: '`from` must not be after `to`.' });
  if (last - first >= maxHistoryDays * dayMs)
    throw new Refusal(rangeCode, { message: `\`from\` and \`to\` may be ${maxHistoryDays} days apart at most.` });
  const dimensions = group_by.split(',') as UsageDimension[];
  if (new Set(dimensions).size !== dimensions.length)
    throw new Refusal(groupCode, { message: '`group_by` must name `day`, `key` and `model` once at most.' });
  return { from: first, to: last, groupBy: new Set(dimensions), offset: (page - 1) * limit, limit };
}

function dayOf(text: string, name: string, code: ErrorCode): number {
  const day = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(day) || dateOf(day) !== text)
    throw new Refusal(code, { message: `\`${name}\` must be a day in UTC, such as 2026-04-21. Got ${text}.` });
  return day;
}

/** Returns the usage as clients see it. */
export function wireHistory({ from, to }: UsageQuery, { groups, hasMore }: ChatHistory): ChatUsageHistory {
  return {
    from: dateOf(from),
    to: dateOf(to),
    data: groups.map(({ day, keyId, keyName, model, requests, inputTokens, outputTokens, cachedRequests }) => ({
      ...(day !== null && { day: dateOf(day) }),
      ...(keyId !== null && { key_id: keyId }),
      ...(keyName !== undefined && { key_name: keyName }),
      ...(model !== null && { model }),
      requests,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      spend: spendOf({ inputTokens, outputTokens }),
      cached_requests: cachedRequests,
    })),
    has_more: hasMore,
  };
}

function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
