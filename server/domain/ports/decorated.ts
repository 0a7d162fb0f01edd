import type { AtomicOptions, Metadata, Tables, Transaction } from './metadata.ts';

/**
 * Returns the same store, with tables of each transaction replaced by what `decorate` returns. All options reach the
 * store.
 *
 * They are replaced in the transaction, which is made for one piece of work. An object with the transaction as its
 * prototype would cost more than the work: V8 makes a hidden class for each prototype. Only a large garbage collection
 * frees it, and until then it keeps the transaction and all that this points to.
 */
export function overTransactions(
  metadata: Metadata,
  decorate: (tx: Transaction, options: AtomicOptions | undefined) => Partial<Tables>,
): Metadata {
  return {
    read: metadata.read,
    atomically: (work, options) => metadata.atomically((tx) => work(Object.assign(tx, decorate(tx, options))), options),
  };
}
