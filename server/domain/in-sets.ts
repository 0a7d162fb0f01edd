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
 * its own. Once the store is unavailable, nothing more is tried. Other requests of the account get their turn between
 * two sets.
 *
 * @returns for each item what `work` returned, or the failure of the store, in their order
 */
export async function inSets<Item, Outcome, Names extends TableName>(
  metadata: Writes<Names>,
  { accountId, items, nameOf, work }: InSets<Item, Outcome, Names>,
): Promise<Array<Outcome | MetadataFailed>> {
  type Outcomes = Array<Outcome | MetadataFailed>;
  let away: MetadataUnavailable | undefined;
  async function change(set: readonly Item[]): Promise<Outcomes> {
    const all = (failure: MetadataFailed): Outcomes => set.map(() => failure);
    if (away) return all(away);
    try {
      return await metadata.atomically((tx) => together(set, (item) => work(tx, item), nameOf), { account: accountId });
    } catch (error) {
      if (!(error instanceof MetadataFailed)) throw error;
      if (error instanceof MetadataUnavailable) away = error;
      return set.length === 1 || away ? all(error) : each(set, 1);
    }
  }
  async function each(some: readonly Item[], size: number): Promise<Outcomes> {
    const outcomes: Outcomes = [];
    for (let at = 0; at < some.length; at += size) outcomes.push(...(await change(some.slice(at, at + size))));
    return outcomes;
  }
  return each(items, setSize);
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
