import { expect } from 'vitest';

import { readStored } from '#test/faults/data-folder.ts';
import { postgresRows, type StoredBlobs } from '#test/support/stored.ts';

/** Returns the contradictions between rows, sums and blobs. Empty when nothing is under way. */
export async function problemsOf(databaseUrl: string, blobs: StoredBlobs, bytes = true): Promise<readonly string[]> {
  const rows = await postgresRows(databaseUrl);
  try {
    return (await readStored(rows, blobs, { bytes })).problems;
  } finally {
    await rows.close();
  }
}

/** Waits until rows, sums and blobs agree. */
export async function expectOrder(databaseUrl: string, blobs: StoredBlobs, withinMs = 60_000): Promise<void> {
  await expect.poll(() => problemsOf(databaseUrl, blobs), { timeout: withinMs, interval: 500 }).toEqual([]);
}
