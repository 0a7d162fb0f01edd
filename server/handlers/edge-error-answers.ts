import type { EdgeErrors, EdgeErrorsByStatus } from '#generated/types.ts';
import type { ErrorBreakdown, StatusCounts } from '#server/domain/edge-errors/error-breakdown.ts';
import { timestamp } from './wire.ts';

/** The errors of an application, counted by status, time, path and method. */
export function edgeErrorsOf({
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
