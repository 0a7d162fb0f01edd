import type { DatabaseSync } from 'node:sqlite';

import type { Buckets } from '#server/domain/edge-errors/buckets.ts';
import { edgeMethods, type EdgeErrorCount } from '#server/domain/edge-errors/edge-error.ts';
import { KindSums } from '#server/domain/edge-errors/kind-sums.ts';
import { packKind, statusOfKind, unpackKind } from '#server/domain/edge-errors/path-kind.ts';
import { resolutionsMs } from '#server/domain/edge-errors/resolution.ts';
import type { BucketCount, EdgeErrorScan, EdgeErrorsTable } from '#server/domain/edge-errors/table.ts';
import { statement } from './connection.ts';
import { DayPaths } from './edge-day-paths.ts';

const dayMs = resolutionsMs.at(-1)!;

/** What lies in a span of an application. */
const within = 'app_no = (SELECT app_no FROM edge_apps WHERE app_id = ?) AND resolution = ? AND at >= ? AND at < ?';

function given({ appId, span }: EdgeErrorScan): [string, number, number, number] {
  return [appId, span.resolution, span.from, span.until];
}

/** Counts of errors at the edge, over one connection. */
export class SqliteEdgeErrors implements EdgeErrorsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async revision(appId: string): Promise<number> {
    const row = statement(this.#db(), 'SELECT revision FROM edge_apps WHERE app_id = ?').get(appId);
    return Number(row?.revision ?? 0);
  }

  async extent(appId: string): Promise<{ start: number; end: number } | undefined> {
    // Each of the two is one step in the index; in one query they would be a pass over all of it.
    const edgeDay = (which: 'min' | 'max') =>
      statement(
        this.#db(),
        `SELECT ${which}(at) AS day FROM edge_errors WHERE app_no = (SELECT app_no FROM edge_apps WHERE app_id = ?) AND resolution = 3`,
      ).get(appId)?.day as number | null | undefined;
    const [first, last] = [edgeDay('min'), edgeDay('max')];
    return first == null || last == null ? undefined : { start: first * dayMs, end: (last + 1) * dayMs };
  }

  async byBucket(scan: EdgeErrorScan, { widthMs, originMs }: Buckets): Promise<BucketCount[]> {
    const unitMs = resolutionsMs[scan.span.resolution]!;
    // Node binds numbers as REAL, and only integers divide to integers: towards zero, though, and days before the first
    // Monday of 1970 are below it. Hence one width more, and one bucket less.
    const rows = statement(
      this.#db(),
      `SELECT (at * ${unitMs} - CAST(? AS INTEGER) + CAST(? AS INTEGER)) / CAST(? AS INTEGER) - 1 AS bucket, status, method, sum(count) AS count FROM edge_errors WHERE ${within} AND status >= ? GROUP BY 1, 2, 3`,
    ).all(originMs, widthMs, widthMs, ...given(scan), scan.minStatus);
    return rows.map((row) => ({
      bucket: Number(row.bucket),
      status: Number(row.status),
      method: edgeMethods[Number(row.method)]!,
      count: Number(row.count),
    }));
  }

  async addByPath(scan: EdgeErrorScan, sums: KindSums): Promise<void> {
    const rows = statement(this.#db(), `SELECT counts FROM edge_path_errors WHERE ${within} ORDER BY at`).all(
      ...given(scan),
    );
    const add = (kind: number, count: number) => {
      if (statusOfKind(kind) >= scan.minStatus) sums.add(kind, count);
    };
    for (const { counts } of rows) forEachCount(counts as Uint8Array, add);
  }

  async pathOf(pathId: number): Promise<string | undefined> {
    return statement(this.#db(), 'SELECT path FROM edge_paths WHERE path_id = ?').get(pathId)?.path as
      | string
      | undefined;
  }

  async add(appId: string, counts: readonly EdgeErrorCount[]): Promise<void> {
    const appNo = this.#changed(appId);
    const paths = new DayPaths(this.#db(), appNo);
    const kinds = counts.map(({ at, status, method, path, count }) => ({
      at,
      count,
      kind: packKind({ pathId: paths.idOn(Math.floor(at / dayMs), path), method, status }),
    }));
    for (const [resolution, unitMs] of resolutionsMs.entries()) {
      for (const [at, errors] of Map.groupBy(kinds, (error) => Math.floor(error.at / unitMs)))
        this.#addToUnit({ appNo, resolution, at }, errors);
    }
  }

  #addToUnit(unit: Unit, errors: readonly CountedKind[]): void {
    const { appNo, resolution, at } = unit;
    const addTotal = statement(
      this.#db(),
      'INSERT INTO edge_errors (app_no, resolution, at, status, method, count) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
    );
    const sums = new Map<number, number>();
    const totals = new Map<number, number>();
    for (const { kind, count } of errors) {
      addTo(sums, kind, count);
      addTo(totals, packKind({ ...unpackKind(kind), pathId: 0 }), count);
    }
    for (const [kind, count] of totals) {
      const { status, method } = unpackKind(kind);
      addTotal.run(appNo, resolution, at, status, edgeMethods.indexOf(method), count);
    }
    this.#addKinds(unit, sums);
  }

  /** Most seconds come once, and need no look at what they hold already. */
  #addKinds({ appNo, resolution, at }: Unit, sums: Map<number, number>): void {
    const add = statement(
      this.#db(),
      'INSERT INTO edge_path_errors (app_no, resolution, at, counts) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    if (add.run(appNo, resolution, at, packed(sums)).changes === 1) return;
    const known = statement(
      this.#db(),
      'SELECT counts FROM edge_path_errors WHERE app_no = ? AND resolution = ? AND at = ?',
    ).get(appNo, resolution, at);
    forEachCount(known!.counts as Uint8Array, (kind, count) => addTo(sums, kind, count));
    statement(this.#db(), 'UPDATE edge_path_errors SET counts = ? WHERE app_no = ? AND resolution = ? AND at = ?').run(
      packed(sums),
      appNo,
      resolution,
      at,
    );
  }

  async forgetBefore(at: number, limit: number): Promise<number> {
    const day = Math.floor(at / dayMs);
    let forgotten = 0;
    for (const { app_no: appNo } of statement(this.#db(), 'SELECT app_no FROM edge_apps').all() as unknown as Array<{
      app_no: number;
    }>) {
      const before = forgotten;
      for (const [resolution, unitMs] of resolutionsMs.entries()) {
        const until = (day * dayMs) / unitMs;
        forgotten += this.#removed(
          'edge_path_errors',
          'app_no, resolution, at',
          'resolution = ? AND at < ?',
          [appNo, resolution, until],
          limit - forgotten,
        );
        forgotten += this.#removed(
          'edge_errors',
          'app_no, resolution, at, status, method',
          'resolution = ? AND at < ?',
          [appNo, resolution, until],
          limit - forgotten,
        );
      }
      // The last: as long as there are counts of a path, it has its name.
      if (forgotten < limit)
        forgotten += this.#removed(
          'edge_path_days',
          'app_no, day, path_id',
          'day < ?',
          [appNo, day],
          limit - forgotten,
        );
      if (forgotten > before)
        statement(this.#db(), 'UPDATE edge_apps SET revision = revision + 1 WHERE app_no = ?').run(appNo);
    }
    if (forgotten < limit) forgotten += this.#unusedPathsRemoved(limit - forgotten);
    return forgotten;
  }

  #removed(table: string, key: string, which: string, values: readonly number[], limit: number): number {
    if (limit <= 0) return 0;
    const { changes } = statement(
      this.#db(),
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE app_no = ? AND ${which} LIMIT ?)`,
    ).run(...values, limit);
    return Number(changes);
  }

  #unusedPathsRemoved(limit: number): number {
    const { changes } = statement(
      this.#db(),
      `DELETE FROM edge_paths WHERE path_id IN
         (SELECT path_id FROM edge_paths WHERE NOT EXISTS (SELECT 1 FROM edge_path_days AS days WHERE days.path_id = edge_paths.path_id) LIMIT ?)`,
    ).run(limit);
    return Number(changes);
  }

  /** The number of the application, whose revision counts up. */
  #changed(appId: string): number {
    const row = statement(
      this.#db(),
      'INSERT INTO edge_apps (app_id, revision) VALUES (?, 1) ON CONFLICT (app_id) DO UPDATE SET revision = revision + 1 RETURNING app_no',
    ).get(appId);
    return Number(row!.app_no);
  }
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

/** Reads the counts of a row. */
function forEachCount(counts: Uint8Array, visit: (kind: number, count: number) => void): void {
  // Numbers of 64 bits may not begin anywhere in memory.
  const { buffer, byteOffset, byteLength } = counts.byteOffset % 8 === 0 ? counts : counts.slice();
  const pairs = new Float64Array(buffer, byteOffset, byteLength / 8);
  for (let at = 0; at < pairs.length; at += 2) visit(pairs[at]!, pairs[at + 1]!);
}

/** The machine's own order of bytes, which is the same on all that Node runs on today but s390x. */
function packed(sums: ReadonlyMap<number, number>): Uint8Array {
  const pairs = new Float64Array(2 * sums.size);
  let at = 0;
  for (const [kind, count] of sums) {
    pairs[at++] = kind;
    pairs[at++] = count;
  }
  return new Uint8Array(pairs.buffer);
}
