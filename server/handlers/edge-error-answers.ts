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
