import type { TableName, Transaction, Writes } from './ports/metadata.ts';

/** Rows in one transaction: few enough that requests in between do not notice. */
const batchRows = 500;

/** Runs `forget` in one transaction after the other while it finds enough; it removes `limit` rows of each kind, or all that are left, and answers how many. Answers how many in all. */
export async function inBatches<Names extends TableName>(
  { metadata }: { readonly metadata: Writes<Names> },
  forget: (tx: Transaction<Names>, limit: number) => Promise<number>,
): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await metadata.atomically((tx) => forget(tx, batchRows));
    forgotten += batch;
    if (batch < batchRows) return forgotten;
  }
}
