import { nextTurn } from '#server/event-loop.ts';
import type { Metadata, TableName, Transaction } from '../ports/metadata.ts';

/** Rows in one transaction: decrypting and encrypting them takes some milliseconds. */
const batchRows = 200;

/** All rows of a table, in the order of their ids. */
interface Pages<Names extends TableName, Row> {
  readonly page: (afterId: string, limit: number) => Promise<Row[]>;
  readonly idOf: (row: Row) => string;
  /** Returns what is to be written for a row; undefined for nothing. */
  readonly change: (row: Row) => ((tx: Transaction<Names>) => Promise<void>) | undefined;
}

/**
 * Changes the rows of a table that are not under the current master key, in batches. Returns how many it changed.
 *
 * @throws the signal's reason
 */
export async function resealRows<Names extends TableName, Row>(
  { metadata, signal }: { readonly metadata: Metadata<Names>; readonly signal?: AbortSignal },
  { page, idOf, change }: Pages<Names, Row>,
): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    signal?.throwIfAborted();
    const rows = await page(after, batchRows);
    if (rows.length === 0) return count;
    const changes = rows.map(change).filter((one) => one !== undefined);
    if (changes.length > 0)
      await metadata.atomically(async (tx) => {
        for (const one of changes) await one(tx);
      });
    count += changes.length;
    after = idOf(rows.at(-1)!);
    await nextTurn();
  }
}
