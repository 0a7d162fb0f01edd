import { parsing } from '#server/http/operation.ts';
import type { EdgeErrorsHandlers } from '#generated/router.ts';
import type { GetNetworkErrorsData, EdgeErrors, EdgeErrorsByStatus } from '#generated/types.ts';
import type { BreakdownCache, ErrorBreakdown, StatusCounts } from '../error-breakdown.ts';
import { networkErrors } from '../network-errors.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { shownValue } from '#server/domain/error-value.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Ports } from '#server/handlers/ports.ts';
import { instantIn } from '#server/handlers/query-instant.ts';
import { success, timestamp } from '#server/handlers/wire.ts';

interface Deps extends Pick<Ports, 'metadata'> {
  readonly breakdowns: BreakdownCache;
}

/** Returns the handler of the errors of applications. */
export function networkErrorsHandlers({ metadata, breakdowns }: Deps) {
  return {
    getNetworkErrors: parsing(
      ({ path, query }) => ({
        appId: path.app_id,
        window: windowOf(query),
        includeClientErrors: query.include_4xx ?? false,
      }),
      async (requested, { caller, countMiss }) => {
        const command = { ...requested, accountId: caller.account.id, onCacheMiss: countMiss };
        return success(edgeErrorsOf(await networkErrors({ metadata, cache: breakdowns }, command)));
      },
    ),
  } satisfies Partial<EdgeErrorsHandlers<Call>>;
}

/** @throws INVALID_TIME_RANGE for a date that does not exist, and if the end is not after the start */
function windowOf(query: Pick<GetNetworkErrorsData['query'], 'start' | 'end'>): { start: number; end: number } {
  const [start, end] = [query.start, query.end].map(instantIn);
  if (start === undefined || end === undefined || end <= start)
    throw new Refusal('INVALID_TIME_RANGE', { detail: `Got ${shownValue(query.start)} to ${shownValue(query.end)}.` });
  return { start, end };
}

/** Returns the errors of an application, counted by status, time, path and method. */
function edgeErrorsOf({
  total,
  clientErrors,
  serverErrors,
  byStatus,
  timeseries,
  topPaths,
  byMethod,
}: ErrorBreakdown): EdgeErrors {
  return {
    summary: { total, by_class: { '4xx': clientErrors, '5xx': serverErrors } },
    by_status: wireCounts(byStatus),
    timeseries: timeseries.map((bucket) => ({
      date: timestamp(bucket.startsAt),
      buckets: Object.fromEntries(bucket.byStatus.map(({ status, count }) => [String(status), count])),
      total: bucket.total,
    })),
    top_paths: topPaths.map(withWireCounts),
    by_method: byMethod.map(withWireCounts),
  };
}

function withWireCounts<Row extends { readonly byStatus: StatusCounts }>({ byStatus, ...row }: Row) {
  return { ...row, by_status: wireCounts(byStatus) };
}

function wireCounts(counts: StatusCounts): EdgeErrorsByStatus {
  return counts.map(({ status, count }) => ({ status, requests: count }));
}
