import type { TableName, Tables } from './domain/ports/metadata.ts';
import type { Rows, TableContext } from './stores/tables/rows.ts';

/** Functions that open tables over a connection, by the name of the table. */
export type TableOpeners = { readonly [Name in TableName]?: (rows: Rows, context: TableContext) => Tables[Name] };

/** Rows that belong to an account: their table, the columns that identify a row, and the condition, with one `?`. */
export type AccountRows = readonly [table: string, key: string, which: string];

/** The condition for rows that name their account themselves. */
export const ofAccount = 'account_id = ?';

/** What the server knows of a feature. */
export interface Feature {
  /** Also the name of its folder in `server/features/`. */
  readonly name: string;
  /** The features that its files import. */
  readonly needs: readonly Feature[];
  readonly tables?: TableOpeners;
  /** The parts of its schema, in order: `tables/sqlite/<part>.sql` and `tables/postgres/<part>.sql` in its folder. */
  readonly schema?: readonly string[];
  /** What is left of an account when its files and uploads are gone. Rows that others refer to come after those. */
  readonly accountRows?: readonly AccountRows[];
}

/** Returns the manifest of a feature. Its type keeps the names of what it has. */
export function feature<const Manifest extends Feature>(manifest: Manifest): Manifest {
  return manifest;
}
