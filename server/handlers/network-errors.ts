import type { AppsHandlers } from '#generated/router.ts';
import type { EdgeErrors, EdgeErrorsByStatus } from '#generated/types.ts';
import type { BreakdownCache, ErrorBreakdown, StatusCounts } from '#server/domain/edge-errors/error-breakdown.ts';
import { networkErrors } from '#server/domain/edge-errors/network-errors.ts';
import { parseInstant } from '#server/domain/edge-errors/parse-instant.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { shownValue } from '#server/domain/shown-value.ts';
import type { Call } from './call.ts';
import type { FieldChecks } from './field-checks.ts';
import { timestamp } from './wire.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly cache: BreakdownCache;
}

type WindowQuery = Pick<Parameters<AppsHandlers<Call>['getNetworkErrors']>[0]['query'], 'start' | 'end'>;

/** The calendar and the order of the two. */
export const networkErrorsFieldChecks: FieldChecks = {
  getNetworkErrors({ query }: { readonly query: WindowQuery }) {
    windowOf(query);
  },
};

/** Wire ⇄ domain for errors at the edge. */
export function networkErrorsHandlers(deps: Deps): Pick<AppsHandlers<Call>, 'getNetworkErrors'> {
  return {
    async getNetworkErrors({ path, query }, { caller, countMiss }) {
      const breakdown = await networkErrors(deps, {
        accountId: caller.account.id,
        appId: path.app_id,
        window: windowOf(query),
        includeClientErrors: query.include_4xx ?? false,
        onCacheMiss: countMiss,
      });
      return { status: 200, body: { status: 'success', response: edgeErrorsOf(breakdown) } };
    },
  };
}

/** @throws INVALID_TIME_RANGE */
function windowOf(query: WindowQuery): { start: number; end: number } {
  // A `+` that was sent as it is has become a space on its way.
  const [start, end] = [query.start, query.end].map((text) => parseInstant(text.replace(' ', '+')));
  if (start === undefined || end === undefined || end <= start)
    throw new Refusal('INVALID_TIME_RANGE', { detail: `Got ${shownValue(query.start)} to ${shownValue(query.end)}.` });
  return { start, end };
}

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
    timeseries: timeseries.map(({ startsAt, total: ofBucket, byStatus: counts }) => ({
      date: timestamp(startsAt),
      buckets: Object.fromEntries(counts.map(({ status, count }) => [String(status), count])),
      total: ofBucket,
    })),
    top_paths: topPaths.map(({ path, method, total: ofPath, byStatus: counts }) => ({
      path,
      method,
      total: ofPath,
      by_status: wireCounts(counts),
    })),
    by_method: byMethod.map(({ method, total: ofMethod, byStatus: counts }) => ({
      method,
      total: ofMethod,
      by_status: wireCounts(counts),
    })),
  };
}

function wireCounts(counts: StatusCounts): EdgeErrorsByStatus {
  return counts.map(({ status, count }) => ({ status, requests: count }));
}
