import {
  MetadataFailed,
  MetadataUnavailable,
  type TableName,
  type Transaction,
  type Writes,
} from './ports/metadata.ts';

/** Items that one transaction changes. They are few enough that requests in between do not notice. */
const setSize = 50;

interface InSets<Item, Outcome, Names extends TableName> {
  readonly accountId: string;
  readonly items: readonly Item[];
  /** Items with the same name are changed one after another. All others must not depend on each other. */
  nameOf(item: Item): string;
  /** Changes one item. Every refusal that it returns comes before its first write. */
  work(tx: Transaction<Names>, item: Item): Promise<Outcome>;
}

/**
 * Changes many things of an account, each on its own, in transactions of {@link setSize}. The statements of a set travel
 * together: over a network, it takes hardly longer than one item. If a transaction fails, each of its items gets one of
 * its own. Other requests of the account get their turn between two sets.
 *
 * @returns for each item what `work` returned, or the failure of the store, in their order
 */
export async function inSets<Item, Outcome, Names extends TableName>(
  metadata: Writes<Names>,
  { accountId, items, nameOf, work }: InSets<Item, Outcome, Names>,
): Promise<Array<Outcome | MetadataFailed>> {
  type Outcomes = Array<Outcome | MetadataFailed>;
  async function change(set: readonly Item[]): Promise<Outcomes> {
    try {
      return await metadata.atomically((tx) => together(set, (item) => work(tx, item), nameOf), { account: accountId });
    } catch (error) {
      if (!(error instanceof MetadataFailed)) throw error;
      if (set.length === 1 || error instanceof MetadataUnavailable) return set.map(() => error);
      const alone: Outcomes = [];
      for (const item of set) alone.push(...(await change([item])));
      return alone;
    }
  }
  const outcomes: Outcomes = [];
  for (let at = 0; at < items.length; at += setSize) outcomes.push(...(await change(items.slice(at, at + setSize))));
  return outcomes;
}

/**
 * Does the same work for several items inside one transaction, at the same time, so that their statements travel
 * together. Ends when all of it has ended, also if a part fails.
 *
 * @param nameOf items with the same name come one after another. Default: none has another's name
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
