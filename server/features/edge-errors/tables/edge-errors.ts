import { edgeMethods, type EdgeErrorCount, type EdgeMethod } from '../edge-error.ts';
import { packKind, statusOfKind, unpackKind } from '../path-kind.ts';
import { resolutionsMs } from '../resolution.ts';
import type { BucketCount, EdgeErrorScan, EdgeErrorsTable, NumberRange } from '../table.ts';
import { column, mapped, record } from '#server/stores/tables/columns.ts';
import { dayPathIds } from './edge-day-paths.ts';
import { allOf, table, type Rows } from '#server/stores/tables/rows.ts';

const dayMs = resolutionsMs.at(-1)!;

/** Rows of an application in a span. */
const within = 'app_no = (SELECT app_no FROM edge_apps WHERE app_id = ?) AND resolution = ? AND at >= ? AND at < ?';

function given({ appId, span }: EdgeErrorScan): [string, number, number, number] {
  return [appId, span.resolution, span.from, span.until];
}

/**
 * The sums of each bucket, for each resolution of the counts. Their parameters are the start of the first bucket and
 * twice the width of a bucket.
 *
 * Node binds numbers as REAL, so the division needs CAST. It divides integers towards zero, but days before the
 * first Monday of 1970 are negative. Adding one width and subtracting one bucket rounds them down as well.
 */
const buckets = resolutionsMs.map((unitMs) =>
  table(
    'edge_errors',
    record<BucketCount>({
      bucket: `(at * ${unitMs} - CAST(? AS BIGINT) + CAST(? AS BIGINT)) / CAST(? AS BIGINT) - 1`,
      status: 'status',
      method: mapped<EdgeMethod, number>(
        column('method'),
        (stored) => edgeMethods[stored]!,
        (method) => edgeMethods.indexOf(method),
      ),
      count: 'sum(count)',
    }),
  ),
);

const findUnit = `SELECT counts FROM edge_path_errors
  WHERE app_no = (SELECT app_no FROM edge_apps WHERE app_id = ?) AND resolution = ? AND at = ?`;
const putUnit = `INSERT INTO edge_path_errors (app_no, resolution, at, counts) VALUES (?, ?, ?, ?)
  ON CONFLICT (app_no, resolution, at) DO UPDATE SET counts = excluded.counts`;
const addTotal = `INSERT INTO edge_errors (app_no, resolution, at, status, method, count) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (app_no, resolution, at, status, method) DO UPDATE SET count = edge_errors.count + excluded.count`;

/** Counts of errors at the edge. */
export function edgeErrorsTable(rows: Rows): EdgeErrorsTable {
  return {
    revision: async (appId) =>
      (await rows.value<number>('SELECT revision FROM edge_apps WHERE app_id = ?', appId)) ?? 0,
    async extent(appId) {
      // Each query is one step in the index. One query for both would scan all of it.
      const edgeDay = async (which: 'min' | 'max') =>
        rows.value<number | null>(
          `SELECT ${which}(at) FROM edge_errors
           WHERE app_no = (SELECT app_no FROM edge_apps WHERE app_id = ?) AND resolution = 3`,
          appId,
        );
      const [first, last] = await Promise.all([edgeDay('min'), edgeDay('max')]);
      return first == null || last == null ? undefined : { start: first * dayMs, end: (last + 1) * dayMs };
    },
    byBucket: async (scan, { widthMs, originMs }) =>
      rows.all(
        buckets[scan.span.resolution]!,
        `WHERE ${within} AND status >= ? GROUP BY 1, 2, 3`,
        ...[originMs, widthMs, widthMs, ...given(scan), scan.minStatus],
      ),
    async addByPath(scan, sums) {
      const ofSpan = `SELECT counts FROM edge_path_errors WHERE ${within} ORDER BY at`;
      for (const counts of await rows.values<Uint8Array>(ofSpan, ...given(scan))) {
        forEachCount(counts, (kind, count) => {
          if (statusOfKind(kind) >= scan.minStatus) sums.add(kind, count);
        });
      }
    },
    pathOf: async (pathId) => rows.value<string>('SELECT path FROM edge_paths WHERE path_id = ?', pathId),
    async add(appId, counts) {
      // Its row comes first. It holds back other transactions that add to the application.
      const appNo = changed(rows, appId);
      const dayPaths = counts.map(({ at, path }) => ({ day: Math.floor(at / dayMs), path }));
      const [number, pathIdOn, stored] = await Promise.all([
        appNo,
        dayPathIds(rows, { appId, appNo }, dayPaths),
        storedUnits(rows, appId, counts),
      ]);
      const kinds = counts.map(({ at, status, method, path, count }) => {
        const pathId = pathIdOn(Math.floor(at / dayMs), path);
        return { at, count, kind: packKind({ pathId, method, status }) };
      });
      for (const [resolution, unitMs] of resolutionsMs.entries()) {
        for (const [at, errors] of Map.groupBy(kinds, (error) => Math.floor(error.at / unitMs))) {
          const unit = { appNo: number, resolution, at };
          await addToUnit(rows, unit, errors, stored.get(keyOfUnit(unit)));
        }
      }
    },
    nextApps: (after, limit) => nextOf(rows, 'edge_apps', 'app_no', { after, limit }),
    nextPaths: (after, limit) => nextOf(rows, 'edge_paths', 'path_id', { after, limit }),
    forgetBefore: (at, apps, limit) => forget(rows, apps, Math.floor(at / dayMs), limit),
    async forgetUnusedPaths({ after, until }) {
      const unused = 'NOT EXISTS (SELECT 1 FROM edge_path_days AS days WHERE days.path_id = edge_paths.path_id)';
      return rows.run(`DELETE FROM edge_paths WHERE path_id > ? AND path_id <= ? AND ${unused}`, after, until);
    },
  };
}

/** Returns the counts by path of the units that errors fall into, as far as there are any. */
async function storedUnits(
  rows: Rows,
  appId: string,
  errors: readonly EdgeErrorCount[],
): Promise<Map<string, Uint8Array | undefined>> {
  const units = resolutionsMs.flatMap((unitMs, resolution) =>
    [...new Set(errors.map(({ at }) => Math.floor(at / unitMs)))].map((at) => ({ resolution, at })),
  );
  const finding = units.map(({ resolution, at }) => rows.value<Uint8Array>(findUnit, appId, resolution, at));
  const found = await allOf(finding);
  return new Map(units.map((unit, index) => [keyOfUnit(unit), found[index]]));
}

function keyOfUnit({ resolution, at }: Pick<Unit, 'resolution' | 'at'>): string {
  return `${resolution} ${at}`;
}

/** @param stored the counts by path that the unit has had */
async function addToUnit(
  rows: Rows,
  { appNo, resolution, at }: Unit,
  errors: readonly CountedKind[],
  stored: Uint8Array | undefined,
): Promise<void> {
  const sums = new Map<number, number>();
  const totals = new Map<number, number>();
  for (const { kind, count } of errors) {
    addTo(sums, kind, count);
    addTo(totals, packKind({ ...unpackKind(kind), pathId: 0 }), count);
  }
  for (const [kind, count] of totals) {
    const { status, method } = unpackKind(kind);
    await rows.write(addTotal, appNo, resolution, at, status, edgeMethods.indexOf(method), count);
  }
  if (stored) forEachCount(stored, (kind, count) => addTo(sums, kind, count));
  await rows.write(putUnit, appNo, resolution, at, packed(sums));
}

/** Raises the application's revision. Returns the application's number. */
async function changed(rows: Rows, appId: string): Promise<number> {
  const count = `INSERT INTO edge_apps (app_id, revision) VALUES (?, 1)
    ON CONFLICT (app_id) DO UPDATE SET revision = edge_apps.revision + 1 RETURNING app_no`;
  return (await rows.value<number>(count, appId))!;
}

async function nextOf(
  rows: Rows,
  name: 'edge_apps' | 'edge_paths',
  key: 'app_no' | 'path_id',
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<NumberRange | undefined> {
  const next = `SELECT max(${key}) FROM (SELECT ${key} FROM ${name} WHERE ${key} > ? ORDER BY ${key} LIMIT ?) AS next`;
  const until = await rows.value<number | null>(next, after, limit);
  return until == null ? undefined : { after, until };
}

const ofApps = 'app_no IN (SELECT app_no FROM edge_apps WHERE app_no > ? AND app_no <= ?)';

/** Removes rows of some applications from before a day. Returns how many. */
async function forget(rows: Rows, { after, until }: NumberRange, day: number, limit: number): Promise<number> {
  const changed: number[] = [];
  const remove = async (table: string, key: string, which: string, ...values: number[]) => {
    const left = limit - changed.length;
    if (left === 0) return;
    const found = `SELECT ${key} FROM ${table} WHERE ${ofApps} AND ${which} LIMIT ?`;
    const removed = `DELETE FROM ${table} WHERE (${key}) IN (${found}) RETURNING app_no`;
    changed.push(...(await rows.values<number>(removed, after, until, ...values, left)));
  };
  for (const [resolution, unitMs] of resolutionsMs.entries()) {
    const before = [resolution, (day * dayMs) / unitMs];
    await remove('edge_path_errors', 'app_no, resolution, at', 'resolution = ? AND at < ?', ...before);
    await remove('edge_errors', 'app_no, resolution, at, status, method', 'resolution = ? AND at < ?', ...before);
  }
  // The last step, so that a path keeps its name as long as it has counts.
  await remove('edge_path_days', 'app_no, day, path_id', 'day < ?', day);
  for (const appNo of new Set(changed))
    await rows.write('UPDATE edge_apps SET revision = revision + 1 WHERE app_no = ?', appNo);
  return changed.length;
}

/** Errors of one packed kind. */
interface CountedKind {
  readonly kind: number;
  readonly count: number;
}

/** One second, minute, hour or day of an application. */
interface Unit {
  readonly appNo: number;
  readonly resolution: number;
  readonly at: number;
}

function addTo(sums: Map<number, number>, kind: number, count: number): void {
  sums.set(kind, (sums.get(kind) ?? 0) + count);
}

/** Calls `visit` with each kind and count of a row. */
function forEachCount(counts: Uint8Array, visit: (kind: number, count: number) => void): void {
  // A Float64Array must begin at a multiple of 8 bytes.
  const { buffer, byteOffset, byteLength } = counts.byteOffset % 8 === 0 ? counts : counts.slice();
  const pairs = new Float64Array(buffer, byteOffset, byteLength / 8);
  for (let at = 0; at < pairs.length; at += 2) visit(pairs[at]!, pairs[at + 1]!);
}

/** In the machine's byte order, which is little-endian wherever Node runs, except on s390x. */
function packed(sums: ReadonlyMap<number, number>): Uint8Array {
  const pairs = new Float64Array(2 * sums.size);
  let at = 0;
  for (const [kind, count] of sums) {
    pairs[at++] = kind;
    pairs[at++] = count;
  }
  return new Uint8Array(pairs.buffer);
}
