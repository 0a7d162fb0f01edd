import { otherPath } from '../edge-error.ts';
import { allOf, type Rows } from '#server/stores/tables/rows.ts';

/** The number of paths of an application that keep their name on one day. */
const maxEdgePathsPerDay = 1000;

/** A path, and the day (UTC) on which it is counted. */
interface DayPath {
  readonly day: number;
  readonly path: string;
}

/** Returns the id under which a path is counted on a day. */
type PathIdOn = (day: number, path: string) => number;

/** An application whose row is in the database or on its way there, by its id and by its number. */
interface CountedApp {
  readonly appId: string;
  readonly appNo: Promise<number>;
}

const ofDay = 'app_no = (SELECT app_no FROM edge_apps WHERE app_id = ?) AND day = ?';

const findNamed = `SELECT path_id FROM edge_path_days JOIN edge_paths USING (path_id) WHERE ${ofDay} AND path = ?`;

/** The paths of a day that have their own name. */
const countNamed = `SELECT (SELECT count(*) FROM edge_path_days WHERE ${ofDay}) - (SELECT count(*) FROM edge_path_days
  WHERE ${ofDay} AND path_id = (SELECT path_id FROM edge_paths WHERE path = ?))`;

const addPath = 'INSERT INTO edge_paths (path) VALUES (?) ON CONFLICT (path) DO NOTHING';
const findPath = 'SELECT path_id FROM edge_paths WHERE path = ?';
const addToDay =
  'INSERT INTO edge_path_days (app_no, day, path_id) VALUES (?, ?, ?) ON CONFLICT (app_no, day, path_id) DO NOTHING';

/**
 * Maps days and paths to the ids under which an application counts them, and names those that are new. The id is the
 * path's own, or that of `otherPath` once the day has a thousand paths. What can be read at once is, so this takes one
 * round trip, and another one for new names.
 *
 * @param wanted in the order in which they get their names
 */
export async function dayPathIds(rows: Rows, app: CountedApp, wanted: readonly DayPath[]): Promise<PathIdOn> {
  const paths = new Map(wanted.map((one) => [keyOf(one), one]));
  const days = [...new Set(wanted.map(({ day }) => day))];
  const { appId } = app;
  const finding = [...paths.values()].map(({ day, path }) => rows.value<number>(findNamed, appId, day, path));
  // An engine in this process has found them by now, and if all have ids nobody needs the counts.
  const areKnown = finding.every((id) => typeof id === 'number');
  const counting = areKnown ? [] : days.map((day) => rows.value<number>(countNamed, appId, day, appId, day, otherPath));
  const [found, counts] = await Promise.all([allOf(finding), allOf(counting)]);
  const ids = new Map([...paths.keys()].map((key, index) => [key, found[index]]));
  const named = new Map(days.map((day, index) => [day, counts[index]!]));

  const added = new Map<string, DayPath>();
  for (const [key, one] of paths) {
    if (ids.get(key) !== undefined) continue;
    const count = named.get(one.day)!;
    const hasName = one.path !== otherPath && count < maxEdgePathsPerDay;
    if (hasName) named.set(one.day, count + 1);
    const counted = hasName ? one : { day: one.day, path: otherPath };
    added.set(keyOf(counted), counted);
  }
  if (added.size > 0) await add(rows, app, added, ids);
  return (day, path) => (ids.get(keyOf({ day, path })) ?? ids.get(keyOf({ day, path: otherPath })))!;
}

/** Adds paths to their days, and their ids to `ids`. */
async function add(
  rows: Rows,
  { appNo }: CountedApp,
  added: ReadonlyMap<string, DayPath>,
  ids: Map<string, number | undefined>,
): Promise<void> {
  const paths = [...added.values()];
  const adding = paths.map(({ path }) => [rows.write(addPath, path), rows.value<number>(findPath, path)] as const);
  const [found] = await Promise.all([allOf(adding.map(([, id]) => id)), allOf(adding.map(([written]) => written))]);
  for (const [index, key] of [...added.keys()].entries()) {
    ids.set(key, found[index]);
    await rows.write(addToDay, await appNo, paths[index]!.day, found[index]!);
  }
}

function keyOf({ day, path }: DayPath): string {
  return `${day} ${path}`;
}
