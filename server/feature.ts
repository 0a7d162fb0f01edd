import type { DoorName } from './config/door-names.ts';
import type { Jobs } from './domain/jobs/job.ts';
import type { MarkBlobs } from './domain/jobs/reap-blobs.ts';
import type { Recover } from './domain/jobs/recover.ts';
import type { EmptyAccount } from './domain/jobs/remove-accounts.ts';
import type { Reseal } from './domain/master-key/reseal.ts';
import type { Readers, TableName, Tables } from './domain/ports/metadata.ts';
import type { DataFolder } from './stores/system/data-folder.ts';
import type { Counter } from './stores/tables/counter.ts';
import type { Rows, TableContext } from './stores/tables/rows.ts';

/** Functions that open tables over a connection, by the name of the table. */
export type TableOpeners = { readonly [Name in TableName]?: (rows: Rows, context: TableContext) => Tables[Name] };

/** Reads that may be steps of a long series, such as a list, by the name of their table. */
export type ReadSteps = { readonly [Name in keyof Readers]?: ReadonlyArray<keyof Readers[Name]> };

/** Rows that belong to an account: their table, the columns that identify a row, and the condition, with one `?`. */
export type AccountRows = readonly [table: string, key: string, which: string];

/** A table whose rows belong to running processes, and end with them. So they are not moved to another database. */
export interface ProcessTable {
  readonly name: string;
  /** Whether requests that only read add rows too. Then they go on while the store is moved. */
  readonly countsReads?: true;
}

/** A table whose rows name blobs, in the columns `blob_id`, `size_bytes` and `inline`. */
export interface BlobRows {
  readonly name: string;
  /** The column with the MD5 of the bytes. */
  readonly md5: string;
}

/** The condition for rows that name their account themselves. */
export const ofAccount = 'account_id = ?';

/**
 * What the server knows of a feature. The command line, the configuration and the composition add members of their own
 * to this type.
 */
export interface Feature {
  /** Also the name of its folder in `server/features/`. */
  readonly name: string;
  /** The features that its files import. */
  readonly needs: readonly Feature[];
  /** Whether no server can do without it. */
  readonly isRequired?: true;
  /** The pages of the documentation about it alone: `docs/<page>.md`. */
  readonly pages?: readonly string[];
  /** The doors that are all its own. */
  readonly doors?: readonly DoorName[];
  /** Its folders in the data folder. They are closed to other users of the machine. */
  readonly dataFolders?: readonly DataFolder[];
  readonly tables?: TableOpeners;
  /** The tables of its files. They have the columns that `objects` has of a content and of an address. */
  readonly fileTables?: readonly string[];
  /** Its tables whose rows name blobs that are needed, besides the contents of files. */
  readonly blobRows?: readonly BlobRows[];
  /** Its tables whose rows name a token that they need, in the column `token_id`. It is kept as long. */
  readonly tokenTables?: readonly string[];
  /** What a check of the store compares and mends. */
  readonly counters?: readonly Counter[];
  readonly processTables?: readonly ProcessTable[];
  /** An embedded engine lets other work run before each of these. */
  readonly readSteps?: ReadSteps;
  /** Replaces reads that follow each other by one statement, for an engine whose every statement is a round trip. */
  readonly joinReads?: (readers: Readers, rows: Rows) => Readers;
  /** The parts of its schema, in order: `tables/sqlite/<part>.sql` and `tables/postgres/<part>.sql` in its folder. */
  readonly schema?: readonly string[];
  /** Adds the rows that each account has from its beginning. */
  readonly addFirstRows?: (rows: Rows, account: { readonly id: string; readonly createdAt: number }) => Promise<void>;
  /** Runs before `accountRows` are removed. */
  readonly emptyAccount?: EmptyAccount;
  /** What is left of an account when its files and uploads are gone. Rows that others refer to come after those. */
  readonly accountRows?: readonly AccountRows[];
  /** Its background jobs, by name. Several features may have parts of one job. */
  readonly jobs?: Jobs;
  readonly markBlobs?: MarkBlobs;
  /** What a start gives back after a process that was cut off, by its name in the log. */
  readonly recover?: Readonly<Record<string, Recover>>;
  readonly reseal?: Reseal;
}

/** Returns the manifest of a feature. Its type keeps the names of what it has. */
export function feature<const Manifest extends Feature>(manifest: Manifest): Manifest {
  return manifest;
}
