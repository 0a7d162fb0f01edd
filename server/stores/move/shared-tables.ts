import type { ProcessTable } from '#server/feature.ts';
import { blobRows, processTables } from '#server/feature-parts.ts';
import { StoreMoveRefused } from './refused.ts';
import type { TableShape } from './rows.ts';

/**
 * Tables whose rows belong to running processes: uploads under way, their leases, and the counts of a minute. They end
 * with the process, so they are not moved. `settle()` gives back what they hold.
 */
const tablesOfProcesses: readonly ProcessTable[] = [
  { name: 'account_leases', countsReads: true },
  { name: 'blob_holds', countsReads: true },
  { name: 'job_leases', countsReads: true },
  { name: 'rates', countsReads: true },
  { name: 'replicas', countsReads: true },
  { name: 'reservations' },
  { name: 'slots', countsReads: true },
  ...processTables,
];

const namesOfProcesses: ReadonlySet<string> = new Set(tablesOfProcesses.map(({ name }) => name));

/**
 * Tables of those in which requests are counted that only read. Writes to them are not refused: reads go on, and the
 * rows matter to nobody afterwards.
 */
export const neverRefused: readonly string[] = tablesOfProcesses.flatMap(({ name, countsReads }) =>
  countsReads ? name : [],
);

/** Tables that a new database has rows of. The rows of the source take their place. */
export const filledAnyway: readonly string[] = ['audit_head', 'master_key_check'];

/**
 * Returns the tables to move, with the columns that both databases have.
 *
 * @throws {StoreMoveRefused} if one of the databases has a table or a column that the other one lacks
 */
export function sharedTables(source: readonly TableShape[], target: readonly TableShape[]): TableShape[] {
  const differences: string[] = [];
  const moved = ({ name }: { readonly name: string }) => !namesOfProcesses.has(name);
  const missing = (from: readonly TableShape[], to: readonly TableShape[], where: string) => {
    for (const table of from.filter(moved)) {
      const other = to.find(({ name }) => name === table.name);
      if (!other) differences.push(`the ${where} has no table ${table.name}`);
      else
        for (const column of table.columns)
          if (!other.columns.includes(column)) differences.push(`the ${where} has no column ${table.name}.${column}`);
    }
  };
  missing(source, target, 'target');
  missing(target, source, 'source');
  if (differences.length > 0)
    throw new StoreMoveRefused(
      `The two databases have different tables: ${differences.join(', ')}. ` +
        'Run "cubby migrate" for both with this version of Cubby, then try again.',
    );
  return source.filter(moved);
}

/** The tables whose rows name blobs that are needed. */
export const tablesWithBlobs: readonly string[] = ['contents', 'content_blobs', ...blobRows.map(({ name }) => name)];

/**
 * Returns the tables to read when only blobs are moved: the rows that name blobs, and the blobs that are to be deleted.
 * Bytes within rows are left out.
 */
export function tablesOfBlobs(source: readonly TableShape[]): TableShape[] {
  const named = (name: string) => source.filter((table) => table.name === name);
  const outside = tablesWithBlobs.flatMap(named).map((table) => ({
    ...table,
    columns: table.columns.filter((column) => column !== 'inline'),
    where: 'inline IS NULL AND blob_id IS NOT NULL',
  }));
  return [...outside, ...named('marked_blobs')];
}
