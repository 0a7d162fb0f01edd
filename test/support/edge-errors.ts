import type { EdgeErrors } from '#generated/types.ts';
import { KindSums } from '#server/features/edge-errors/kind-sums.ts';
import { unpackKind } from '#server/features/edge-errors/path-kind.ts';
import type { Span } from '#server/features/edge-errors/resolution.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';

/** An error in a log. */
export interface SampleError {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status: number;
  readonly method: string;
  readonly path: string;
}

export interface SampleWindow {
  readonly start: number;
  readonly end: number;
  readonly includeClientErrors: boolean;
}

const countOf = <Key>(keys: Iterable<Key>): Map<Key, number> => {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

const byStatus = (errors: readonly SampleError[]) =>
  [...countOf(errors.map(({ status }) => status))]
    .map(([status, requests]) => ({ status, requests }))
    .sort((a, b) => b.requests - a.requests || a.status - b.status);

/**
 * Returns the breakdown of the window's errors, counted one by one. It leaves out the time series, whose buckets are
 * checked separately, and has all paths.
 */
export function naiveBreakdown(errors: readonly SampleError[], { start, end, includeClientErrors }: SampleWindow) {
  // An error counts at the start of its second.
  const second = (at: number) => Math.floor(at / 1000) * 1000;
  const counted = errors.filter(
    ({ at, status }) => second(at) >= start && second(at) < end && status >= (includeClientErrors ? 400 : 500),
  );
  const groups = <Key extends string>(key: (error: SampleError) => Key) => [...Map.groupBy(counted, key).values()];
  return {
    counted,
    summary: {
      total: counted.length,
      by_class: {
        '4xx': counted.filter(({ status }) => status < 500).length,
        '5xx': counted.filter(({ status }) => status >= 500).length,
      },
    },
    by_status: byStatus(counted),
    by_method: groups(({ method }) => method)
      .map((group) => ({ method: group[0]!.method, total: group.length, by_status: byStatus(group) }))
      .sort((a, b) => b.total - a.total || (a.method < b.method ? -1 : 1)),
    paths: groups(({ path, method }) => `${method} ${path}`).map((group) => ({
      path: group[0]!.path,
      method: group[0]!.method,
      total: group.length,
      by_status: byStatus(group),
    })),
  };
}

/** Returns the time series with the errors counted into the same buckets. */
export function naiveTimeseries(counted: readonly SampleError[], { timeseries }: EdgeErrors) {
  return timeseries.map(({ date }, index) => {
    const from = Date.parse(date);
    const until = index + 1 < timeseries.length ? Date.parse(timeseries[index + 1]!.date) : Infinity;
    const inside = counted.filter(({ at }) => at >= from && at < until);
    return {
      date,
      buckets: Object.fromEntries(countOf(inside.map(({ status }) => String(status)))),
      total: inside.length,
    };
  });
}

/** Returns each kind of error that is stored for an application in a span. The span covers all days by default. */
export async function storedErrors(
  { read }: Pick<Metadata, 'read'>,
  appId: string,
  span: Span = { resolution: 3, from: 0, until: Number.MAX_SAFE_INTEGER },
  minStatus = 400,
) {
  const sums = new KindSums();
  await read.edgeErrors.addByPath({ appId, span, minStatus }, sums);
  const kinds: Array<readonly [kind: number, count: number]> = [];
  sums.forEach((kind, count) => kinds.push([kind, count]));
  return Promise.all(
    kinds.map(async ([kind, count]) => {
      const { pathId, ...rest } = unpackKind(kind);
      return { path: await read.edgeErrors.pathOf(pathId), pathId, ...rest, count };
    }),
  );
}
