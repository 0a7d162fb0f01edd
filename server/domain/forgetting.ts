import type { TableName, Transaction, Writes } from './ports/metadata.ts';
import { sweep } from './sweep.ts';

/** Rows in one transaction, few enough not to delay requests. */
const batchRows = 500;

/** Removes rows that are too old at `now`, in batches. Returns how many. May run at any time, and twice. */
type Forget<Names extends TableName> = (deps: { readonly metadata: Writes<Names> }, now: number) => Promise<number>;

/**
 * Returns a function that removes old rows in batches.
 *
 * @param forget removes up to `limit` rows of each kind, and returns how many
 */
export function forgetting<Names extends TableName>(
  forget: (tx: Transaction<Names>, now: number, limit: number) => Promise<number>,
): Forget<Names> {
  return ({ metadata }, now) =>
    sweep(
      batchRows,
      async (limit) => ({ length: await metadata.atomically((tx) => forget(tx, now, limit)) }),
      async ({ length }) => length,
    );
}
