import {
  MetadataFailed,
  MetadataUnavailable,
  type AtomicOptions,
  type TableName,
  type Transaction,
  type Writes,
} from './ports/metadata.ts';
import { SetSize } from './set-size.ts';

/** The options are those of each transaction. */
interface InSets<Item, Outcome, Names extends TableName> extends AtomicOptions {
  readonly account: string;
  readonly items: readonly Item[];
  /** Default: what an item costs is not known before. */
  readonly sizes?: SetSize;
  /** Changes the items of a set with {@link together}. Every refusal that it returns comes before a write of its item. */
  work(tx: Transaction<Names>, set: readonly Item[]): Promise<Outcome[]>;
}

/**
 * Changes many things of an account, each on its own, in a transaction for each set. The statements of a set travel
 * together: over a network, it takes hardly longer than one item. If a transaction fails, each of its items gets one of
 * its own. Any other error undoes its set, and is thrown. Once the store is unavailable, nothing more is tried. Other
 * requests of the account get their turn between two sets.
 *
 * @returns for each item what `work` returned, or the failure of the store, in their order
 */
export async function inSets<Item, Outcome, Names extends TableName>(
  metadata: Writes<Names>,
  { items, work, sizes = new SetSize(), ...options }: InSets<Item, Outcome, Names>,
): Promise<Array<Outcome | MetadataFailed>> {
  type Outcomes = Array<Outcome | MetadataFailed>;
  let away: MetadataUnavailable | undefined;
  async function change(set: readonly Item[]): Promise<Outcomes> {
    const all = (failure: MetadataFailed): Outcomes => set.map(() => failure);
    if (away) return all(away);
    try {
      return await metadata.atomically((tx) => sizes.measured(set, () => work(tx, set)), options);
    } catch (error) {
      if (!(error instanceof MetadataFailed)) throw error;
      if (error instanceof MetadataUnavailable) away = error;
      if (set.length === 1 || away) return all(error);
      const alone: Outcomes = [];
      for (const item of set) alone.push(...(await change([item])));
      return alone;
    }
  }
  const outcomes: Outcomes = [];
  await sizes.each(items, async (set) => outcomes.push(...(await change(set))));
  return outcomes;
}

/**
 * Does the same work for several items inside one transaction, at the same time, so that their statements travel
 * together. Ends when all of it has ended, also if a part fails.
 *
 * @param nameOf items with the same name come one after another, and all others must not depend on each other. Default:
 *   none has another's name
 */
export async function together<Item, Outcome>(
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
  nameOf?: (item: Item) => string,
): Promise<Outcome[]> {
  const before = new Map<string, Promise<Outcome>>();
  const working = items.map((item) => {
    if (!nameOf) return work(item);
    const name = nameOf(item);
    const former = before.get(name);
    const own = former ? former.then(() => work(item)) : work(item);
    before.set(name, own);
    return own;
  });
  await Promise.allSettled(working);
  return Promise.all(working);
}
