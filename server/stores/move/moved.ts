import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Places } from './places.ts';
import { destinationText, parseRecord } from './record.ts';
import { StoreMoveRefused } from './refused.ts';

/**
 * Checks that a database is the store still. Returns whether it has just become the store of a configuration whose
 * blobs have moved: then the caller ends the refusal of writes.
 *
 * @param record the record of a move in the database
 * @throws {StoreMoveRefused} if the rows or the blobs have moved elsewhere
 */
export function requireNotMoved(record: string | undefined, here: Places): boolean {
  if (record === undefined) return false;
  const { phase, to } = parseRecord(record);
  if (phase !== 'moved') return false;
  if (to.rows === null && to.blobs === here.blobs) return true;
  throw new StoreMoveRefused(
    `The store has moved from here: ${destinationText(to)}. Set ${variablesOf(to).join(' and ')} to that place, ` +
      'then start again.',
  );
}

function variablesOf({ rows, blobs }: { readonly rows: string | null; readonly blobs: string | null }): string[] {
  const names = [];
  if (rows !== null) names.push('CUBBY_DATABASE_URL (or CUBBY_DATA_DIR)');
  if (blobs !== null) names.push('CUBBY_BLOBS_URL');
  return names;
}

/** @throws {StoreMoveRefused} for a database that a move has not finished */
export function requireFinished(isTarget: boolean, { rows }: Places): void {
  if (isTarget)
    throw new StoreMoveRefused(
      `A move to ${rows} has not been finished. Run "cubby store migrate" again until it says ` +
        'that the store has moved.',
    );
}

/** The name of a file among the blobs of a data folder that says that they are not in use. */
const markName = 'not-in-use.txt';

/** Returns whether the blobs of a data folder are not in use: they have moved, or a move to them is not finished. */
export function areFilesUnused(dataDir: string): boolean {
  return existsSync(join(dataDir, 'blobs', markName));
}

/** Says in the folder that its blobs are not in use. */
export async function markUnused(dataDir: string, why: string): Promise<void> {
  await writeFile(join(dataDir, 'blobs', markName), `${why}\n`, { mode: 0o600, flush: true });
}

export async function markUsed(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'blobs', markName), { force: true });
}
