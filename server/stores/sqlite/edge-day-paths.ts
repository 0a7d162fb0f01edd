import type { DatabaseSync } from 'node:sqlite';

import { otherPath } from '#server/domain/edge-errors/edge-error.ts';
import { maxEdgePathsPerDay } from '#server/domain/limits.ts';
import { statement } from './connection.ts';

/** The paths of an application's days within one transaction, each looked up once. */
export class DayPaths {
  readonly #db: DatabaseSync;
  readonly #appNo: number;
  readonly #ids = new Map<string, number>();
  /** How many paths each day has that keep their name. */
  readonly #named = new Map<number, number>();

  constructor(db: DatabaseSync, appNo: number) {
    this.#db = db;
    this.#appNo = appNo;
  }

  /** The id under which a path is counted on a day: its own, or that of all the others once the day has a thousand. */
  idOn(day: number, path: string): number {
    const key = `${day} ${path}`;
    let id = this.#ids.get(key);
    if (id === undefined) this.#ids.set(key, (id = this.#find(day, path)));
    return id;
  }

  #find(day: number, path: string): number {
    if (path === otherPath) return this.#idOnDay(day, otherPath);
    const known = statement(this.#db, 'SELECT path_id FROM edge_paths WHERE path = ?').get(path);
    if (known && this.#isOn(day, Number(known.path_id))) return Number(known.path_id);
    const named = this.#named.get(day) ?? this.#countOn(day);
    this.#named.set(day, named < maxEdgePathsPerDay ? named + 1 : named);
    return named < maxEdgePathsPerDay ? this.#idOnDay(day, path) : this.idOn(day, otherPath);
  }

  #isOn(day: number, pathId: number): boolean {
    return (
      statement(this.#db, 'SELECT 1 FROM edge_path_days WHERE app_no = ? AND day = ? AND path_id = ?').get(
        this.#appNo,
        day,
        pathId,
      ) !== undefined
    );
  }

  /** Without what all the others are counted under. */
  #countOn(day: number): number {
    const row = statement(
      this.#db,
      'SELECT count(*) AS paths FROM edge_path_days WHERE app_no = ? AND day = ? AND path_id IS NOT (SELECT path_id FROM edge_paths WHERE path = ?)',
    ).get(this.#appNo, day, otherPath);
    return Number(row!.paths);
  }

  #idOnDay(day: number, path: string): number {
    statement(this.#db, 'INSERT INTO edge_paths (path) VALUES (?) ON CONFLICT DO NOTHING').run(path);
    const pathId = Number(statement(this.#db, 'SELECT path_id FROM edge_paths WHERE path = ?').get(path)!.path_id);
    statement(
      this.#db,
      'INSERT INTO edge_path_days (app_no, day, path_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ).run(this.#appNo, day, pathId);
    return pathId;
  }
}
