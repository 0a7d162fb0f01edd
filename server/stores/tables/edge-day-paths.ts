import { otherPath } from '#server/domain/edge-errors/edge-error.ts';
import { maxEdgePathsPerDay } from '#server/domain/limits.ts';
import type { Rows } from './rows.ts';

/**
 * Returns a function that maps a day and a path to the id under which an application counts the path. That is the
 * path's own id, or that of `otherPath` once the day has a thousand paths. For one transaction, in which it looks up
 * each path once.
 */
export function dayPaths(rows: Rows, appNo: number): (day: number, path: string) => Promise<number> {
  const idCache = new Map<string, number>();
  /** The number of named paths of each day. */
  const namedCache = new Map<number, number>();

  async function once(day: number, path: string, find: () => Promise<number>): Promise<number> {
    const key = `${day} ${path}`;
    let id = idCache.get(key);
    if (id === undefined) idCache.set(key, (id = await find()));
    return id;
  }

  /** Returns undefined when the day has no room for another name. */
  async function namedId(day: number, path: string): Promise<number | undefined> {
    if (path === otherPath) return undefined;
    const known = await rows.value<number>(
      'SELECT path_id FROM edge_path_days JOIN edge_paths USING (path_id) WHERE app_no = ? AND day = ? AND path = ?',
      ...[appNo, day, path],
    );
    if (known !== undefined) return known;
    const named = namedCache.get(day) ?? (await countNamed(day));
    namedCache.set(day, Math.min(named + 1, maxEdgePathsPerDay));
    return named < maxEdgePathsPerDay ? added(day, path) : undefined;
  }

  async function countNamed(day: number): Promise<number> {
    const count = `SELECT count(*) FROM edge_path_days
      WHERE app_no = ? AND day = ? AND path_id IS DISTINCT FROM (SELECT path_id FROM edge_paths WHERE path = ?)`;
    return (await rows.value<number>(count, appNo, day, otherPath))!;
  }

  async function added(day: number, path: string): Promise<number> {
    await rows.write('INSERT INTO edge_paths (path) VALUES (?) ON CONFLICT (path) DO NOTHING', path);
    const pathId = (await rows.value<number>('SELECT path_id FROM edge_paths WHERE path = ?', path))!;
    const add =
      'INSERT INTO edge_path_days (app_no, day, path_id) VALUES (?, ?, ?) ON CONFLICT (app_no, day, path_id) DO NOTHING';
    await rows.write(add, appNo, day, pathId);
    return pathId;
  }

  return (day, path) =>
    once(day, path, async () => (await namedId(day, path)) ?? once(day, otherPath, () => added(day, otherPath)));
}
