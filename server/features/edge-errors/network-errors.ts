import { findApp } from '#server/features/apps/find-app.ts';
import type { Metadata, Reads } from '#server/domain/ports/metadata.ts';
import { bucketAt, bucketsFor, bucketStart, type Buckets } from './buckets.ts';
import type { EdgeMethod } from './edge-error.ts';
import { emptyBreakdown, StatusSums, type BreakdownCache, type ErrorBreakdown } from './error-breakdown.ts';
import { KindSums } from './kind-sums.ts';
import { pathMethodOfKind, statusOfKind, unpackPathMethod } from './path-kind.ts';
import { resolutionsMs, spansOf, stepsOf } from './resolution.ts';
import { failedAs } from '#server/domain/failed-as.ts';

interface Deps {
  readonly metadata: Reads<'apps' | 'edgeErrors'>;
  readonly cache: BreakdownCache;
}

interface NetworkErrors {
  readonly accountId: string;
  readonly appId: string;
  /**
   * The window: milliseconds since the epoch, `end` exclusive and after `start`. An error counts at the beginning of
   * its second.
   */
  readonly window: { readonly start: number; readonly end: number };
  readonly includeClientErrors: boolean;
  /** Called before a breakdown is read that is not in the cache. If it throws, the call is rejected with its error. */
  readonly onCacheMiss: () => Promise<void>;
}

/**
 * How often a breakdown is read, at most, while new errors arrive. After the last try its parts may differ by those
 * errors.
 */
const maxTries = 3;

const maxPaths = 20;

/**
 * Returns the errors that the edge sent for an application in a window. They are exact, and include every error that
 * was stored before the call.
 *
 * @throws APP_NOT_FOUND
 * @throws UNABLE_TO_FETCH_ERRORS when the store cannot be read
 */
export function networkErrors(deps: Deps, question: NetworkErrors): Promise<ErrorBreakdown> {
  return cachedBreakdown(deps, question).catch(failedAs('UNABLE_TO_FETCH_ERRORS'));
}

async function cachedBreakdown({ metadata, cache }: Deps, question: NetworkErrors): Promise<ErrorBreakdown> {
  const { appId, accountId, window, includeClientErrors } = question;
  const app = await findApp(metadata.read.apps, { appId, accountId });
  if (window.end <= app.createdAt) return emptyBreakdown;
  const keyAt = (revision: number) => JSON.stringify([appId, revision, window.start, window.end, includeClientErrors]);
  let revision = await metadata.read.edgeErrors.revision(appId);
  const cached = cache.get(keyAt(revision));
  if (cached) return cached;
  await question.onCacheMiss();
  for (let tries = 1; ; tries++) {
    const breakdown = await readBreakdown(metadata.read.edgeErrors, question);
    const current = await metadata.read.edgeErrors.revision(appId);
    if (current === revision) cache.set(keyAt(revision), breakdown);
    if (current === revision || tries === maxTries) return breakdown;
    revision = current;
  }
}

type EdgeErrors = Metadata['read']['edgeErrors'];

async function readBreakdown(edgeErrors: EdgeErrors, question: NetworkErrors): Promise<ErrorBreakdown> {
  // Nothing is counted before 1970, and a window may begin in the year 1.
  const window = { start: Math.max(0, question.window.start), end: question.window.end };
  const buckets = bucketsFor(window);
  const extent = await edgeErrors.extent(question.appId);
  if (!extent) return emptyBreakdown;
  // A longer window is cut to the days that have errors, so that it costs no more.
  const counted = { start: Math.max(window.start, extent.start), end: Math.min(window.end, extent.end) };
  const all = new StatusSums();
  const byMethod = new Map<EdgeMethod, StatusSums>();
  const byBucket = new Map<number, StatusSums>();
  const scan = { appId: question.appId, minStatus: question.includeClientErrors ? 400 : 500 };
  for (const span of stepsOf(spansOf(counted, buckets.widthMs))) {
    for (const { bucket, status, method, count } of await edgeErrors.byBucket({ ...scan, span }, buckets)) {
      all.add(status, count);
      sumsAt(byMethod, method).add(status, count);
      sumsAt(byBucket, bucket).add(status, count);
    }
  }
  if (all.total === 0) return emptyBreakdown;
  return {
    total: all.total,
    clientErrors: all.between(400, 500),
    serverErrors: all.between(500, 600),
    byStatus: all.counts(),
    timeseries: timeseries(window, buckets, byBucket),
    topPaths: await topPaths(edgeErrors, counted, scan),
    byMethod: [...byMethod]
      .map(([method, sums]) => ({ method, total: sums.total, byStatus: sums.counts() }))
      .sort((a, b) => b.total - a.total || compare(a.method, b.method)),
  };
}

/** Returns every bucket that the window touches. */
function timeseries(
  { start, end }: NetworkErrors['window'],
  buckets: Buckets,
  sums: ReadonlyMap<number, StatusSums>,
): ErrorBreakdown['timeseries'] {
  const first = bucketAt(buckets, start);
  const last = bucketAt(buckets, end - 1);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const ofBucket = sums.get(first + index);
    return {
      startsAt: bucketStart(buckets, first + index),
      total: ofBucket?.total ?? 0,
      byStatus: ofBucket?.counts() ?? [],
    };
  });
}

async function topPaths(
  edgeErrors: EdgeErrors,
  window: NetworkErrors['window'],
  scan: { readonly appId: string; readonly minStatus: number },
): Promise<ErrorBreakdown['topPaths']> {
  const sums = new KindSums();
  for (const span of stepsOf(spansOf(window, resolutionsMs.at(-1)!)))
    await edgeErrors.addByPath({ ...scan, span }, sums);
  const top = new Map(mostOf(sums).map((pathMethod) => [pathMethod, new StatusSums()]));
  sums.forEach((kind, count) => top.get(pathMethodOfKind(kind))?.add(statusOfKind(kind), count));
  return Promise.all(
    [...top].map(async ([pathMethod, ofPath]) => {
      const { pathId, method } = unpackPathMethod(pathMethod);
      const path = await edgeErrors.pathOf(pathId);
      if (path === undefined) throw new Error('A path with errors has no name.');
      return { path, method, total: ofPath.total, byStatus: ofPath.counts() };
    }),
  );
}

/** Returns the paths and methods with the most errors, most first. It does not sort the others. */
function mostOf(sums: KindSums): number[] {
  const totals = new KindSums();
  sums.forEach((kind, count) => totals.add(pathMethodOfKind(kind), count));
  const most: Array<{ readonly pathMethod: number; readonly total: number }> = [];
  totals.forEach((pathMethod, total) => {
    if (most.length === maxPaths && total < most.at(-1)!.total) return;
    most.push({ pathMethod, total });
    most.sort((a, b) => b.total - a.total || a.pathMethod - b.pathMethod);
    if (most.length > maxPaths) most.pop();
  });
  return most.map(({ pathMethod }) => pathMethod);
}

function sumsAt<Key>(sums: Map<Key, StatusSums>, key: Key): StatusSums {
  let known = sums.get(key);
  if (!known) sums.set(key, (known = new StatusSums()));
  return known;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
