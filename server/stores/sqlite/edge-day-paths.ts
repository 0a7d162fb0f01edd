import { otherPath } from '#server/domain/edge-errors/edge-error.ts';
import { maxEdgePathsPerDay } from '#server/domain/limits.ts';
import type { Rows } from './rows.ts';

/**
 * Returns a function that maps a day and a path to the id under which an application counts the path. That is the
 * path's own id, or that of `otherPath` once the day has a thousand paths. For one transaction, in which it looks up
 * each path once.
 */
export function dayPaths(rows: Rows, appNo: number): (day: number, path: string) => number {
  const idCache = new Map<string, number>();
  /** The number of named paths of each day. */
  const namedCache = new Map<number, number>();

  function once(day: number, path: string, find: () => number): number {
    const key = `${day} ${path}`;
    let id = idCache.get(key);
    if (id === undefined) idCache.set(key, (id = find()));
    return id;
  }

  /** Returns undefined when the day has no room for another name. */
  function namedId(day: number, path: string): number | undefined {
    if (path === otherPath) return undefined;
    const known = rows.value<number>(
      'SELECT path_id FROM edge_path_days JOIN edge_paths USING (path_id) WHERE app_no = ? AND day = ? AND path = ?',
      ...[appNo, day, path],
    );
    if (known !== undefined) return known;
    const named = namedCache.get(day) ?? countNamed(day);
    namedCache.set(day, Math.min(named + 1, maxEdgePathsPerDay));
    return named < maxEdgePathsPerDay ? added(day, path) : undefined;
  }

  function countNamed(day: number): number {
    const count = `SELECT count(*) FROM edge_path_days
      WHERE app_no = ? AND day = ? AND path_id IS NOT (SELECT path_id FROM edge_paths WHERE path = ?)`;
    return rows.value<number>(count, appNo, day, otherPath)!;
  }

  function added(day: number, path: string): number {
    rows.run('INSERT INTO edge_paths (path) VALUES (?) ON CONFLICT DO NOTHING', path);
    const pathId = rows.value<number>('SELECT path_id FROM edge_paths WHERE path = ?', path)!;
    const add = 'INSERT INTO edge_path_days (app_no, day, path_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
    rows.run(add, appNo, day, pathId);
    return pathId;
  }

  return (day, path) => once(day, path, () => namedId(day, path) ?? once(day, otherPath, () => added(day, otherPath)));
}
