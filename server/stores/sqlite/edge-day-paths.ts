import { otherPath } from '#server/domain/edge-errors/edge-error.ts';
import { maxEdgePathsPerDay } from '#server/domain/limits.ts';
import type { Rows } from './rows.ts';

/** Path ids of an application's days. A cache for one transaction: each path is looked up once. */
export class DayPaths {
  readonly #rows: Rows;
  readonly #appNo: number;
  readonly #ids = new Map<string, number>();
  /** The number of named paths of each day. */
  readonly #named = new Map<number, number>();

  constructor(rows: Rows, appNo: number) {
    this.#rows = rows;
    this.#appNo = appNo;
  }

  /** Returns the id that a path is counted under: its own, or the shared one once the day has a thousand paths. */
  idOn(day: number, path: string): number {
    const key = `${day} ${path}`;
    let id = this.#ids.get(key);
    if (id === undefined) this.#ids.set(key, (id = this.#find(day, path)));
    return id;
  }

  #find(day: number, path: string): number {
    if (path === otherPath) return this.#idOnDay(day, otherPath);
    const known = this.#rows.value<number>('SELECT path_id FROM edge_paths WHERE path = ?', path);
    if (known !== undefined && this.#isOn(day, known)) return known;
    const named = this.#named.get(day) ?? this.#countOn(day);
    this.#named.set(day, named < maxEdgePathsPerDay ? named + 1 : named);
    return named < maxEdgePathsPerDay ? this.#idOnDay(day, path) : this.idOn(day, otherPath);
  }

  #isOn(day: number, pathId: number): boolean {
    const look = 'SELECT 1 FROM edge_path_days WHERE app_no = ? AND day = ? AND path_id = ?';
    return this.#rows.value<number>(look, this.#appNo, day, pathId) !== undefined;
  }

  /** Counts the named paths of a day, without the one that stands for all others. */
  #countOn(day: number): number {
    const count = `SELECT count(*) FROM edge_path_days
      WHERE app_no = ? AND day = ? AND path_id IS NOT (SELECT path_id FROM edge_paths WHERE path = ?)`;
    return this.#rows.value<number>(count, this.#appNo, day, otherPath)!;
  }

  #idOnDay(day: number, path: string): number {
    this.#rows.run('INSERT INTO edge_paths (path) VALUES (?) ON CONFLICT DO NOTHING', path);
    const pathId = this.#rows.value<number>('SELECT path_id FROM edge_paths WHERE path = ?', path)!;
    const add = 'INSERT INTO edge_path_days (app_no, day, path_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
    this.#rows.run(add, this.#appNo, day, pathId);
    return pathId;
  }
}
