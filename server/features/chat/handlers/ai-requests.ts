import type { ListAiRequestsData } from '#generated/types.ts';
import type { AiRequest, AiRequestPage } from '#generated/types.ts';
import type { Account } from '#server/domain/account/account.ts';
import { listAiRequests } from '../ai-requests/list-requests.ts';
import type { AiRequestEntry } from '../ai-requests/requests-table.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { queryInstant } from '#server/handlers/query-instant.ts';
import { continuation, timestamp } from '#server/handlers/wire.ts';
import { dayMs } from '#server/domain/day.ts';
import { amountOfCost } from '#server/domain/money.ts';

interface Deps extends Pick<CorePorts, 'metadata' | 'secrets' | 'clock'> {
  /** For how many days requests are kept. */
  readonly requestLogDays: number;
  /** Returns the currency of costs now; undefined when the operator has named none. */
  currency(): string | undefined;
}

/**
 * Returns one page of the requests of an account.
 *
 * @param onlyKey the only key whose requests are shown. Default: all
 * @throws invalid_query
 */
export async function aiRequestPage(
  deps: Deps,
  account: Pick<Account, 'id'>,
  query: NonNullable<ListAiRequestsData['query']>,
  onlyKey?: string,
): Promise<AiRequestPage> {
  const { limit = 100, cursor, key = onlyKey, model, outcome, from, to } = query;
  const currency = deps.currency();
  const about = { kept_days: deps.requestLogDays, ...(currency !== undefined && { currency }) };
  // Its requests are hidden from this key, as if there were none.
  if (onlyKey !== undefined && key !== onlyKey) return { requests: [], ...about };
  const { entries, next } = await listAiRequests(deps, {
    accountId: account.id,
    filter: {
      keyId: key,
      model,
      outcome,
      from: queryInstant(from, 'invalid_query'),
      to: queryInstant(to, 'invalid_query'),
    },
    limit,
    cursor,
    keptMs: deps.requestLogDays * dayMs,
  });
  return { requests: entries.map(wireRequest), ...about, ...continuation(next) };
}

function wireRequest(entry: AiRequestEntry): AiRequest {
  return {
    id: entry.id,
    request_id: entry.requestId,
    at: timestamp(entry.at),
    key_id: entry.keyId,
    model: entry.model,
    operation: entry.operation,
    stream: entry.isStreamed,
    outcome: entry.outcome,
    input_tokens: entry.inputTokens,
    output_tokens: entry.outputTokens,
    cost: amountOfCost(entry.cost),
    cached: entry.isCached,
    duration_ms: entry.durationMs,
    first_token_ms: entry.firstTokenMs,
    upstream_attempts: entry.attempts,
    ignored: entry.leftOut,
  };
}
