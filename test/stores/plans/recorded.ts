import { DatabaseSync } from 'node:sqlite';

import { Session, type Parameter } from '#server/stores/postgres/session.ts';

/** The statements that the server has prepared since the recording began, each with the values of its first use. */
export interface Recording {
  readonly statements: ReadonlyMap<string, readonly Parameter[]>;
  stop(): void;
}

/** Records what any connection of this process to SQLite prepares. A plan of SQLite does not depend on values. */
export function recordSqlite(): Recording {
  const statements = new Map<string, readonly Parameter[]>();
  const { prototype } = DatabaseSync;
  const real = prototype.prepare;
  prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof real>) {
    const prepared = real.apply(this, args);
    if (isOfRows(args[0])) statements.set(args[0], []);
    return prepared;
  };
  return { statements, stop: () => void (prototype.prepare = real) };
}

/** Records what any session of this process sends to PostgreSQL with a name, so that it stays prepared. */
export function recordPostgres(): Recording {
  const statements = new Map<string, readonly Parameter[]>();
  const { prototype } = Session;
  const real = prototype.query;
  const recording: typeof real = function (this: Session, sql, values = []) {
    if (isOfRows(sql) && !statements.has(sql)) statements.set(sql, values);
    return real.call(this, sql, values) as never;
  };
  prototype.query = recording;
  return { statements, stop: () => void (prototype.query = real) };
}

/** A statement about SQLite itself has no plan that could grow. */
function isOfRows(sql: string): boolean {
  return /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql) && !/\bsqlite_(schema|master)\b/.test(sql);
}
