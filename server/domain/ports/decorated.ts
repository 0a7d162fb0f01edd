import type { AtomicOptions, Metadata, Transaction } from './metadata.ts';

/**
 * Returns the same object with some members replaced. Every other member is passed through, also one that is added
 * later.
 */
export function overlaid<T extends object>(real: T, own: Partial<T>): T {
  return Object.create(real, Object.getOwnPropertyDescriptors(own)) as T;
}

/** Returns the same store, with each transaction replaced by what `decorate` returns. All options reach the store. */
export function overTransactions(
  metadata: Metadata,
  decorate: (tx: Transaction, options: AtomicOptions | undefined) => Transaction,
): Metadata {
  return {
    read: metadata.read,
    atomically: (work, options) => metadata.atomically((tx) => work(decorate(tx, options)), options),
  };
}
