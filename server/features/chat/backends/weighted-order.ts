/** The order and the weight of a server among others. */
interface Weighted {
  readonly order: number;
  readonly weight: number;
}

/**
 * Returns the indexes of all servers, in the order in which one request asks them. Groups come by their `order`. Within
 * a group, the chance to come next is the weight among those that are left.
 *
 * @param random from 0 to 1
 */
export function weightedOrder(servers: readonly Weighted[], random: () => number): number[] {
  const groups = Map.groupBy(servers.keys(), (index) => servers[index]!.order);
  return [...groups]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, group]) => shuffled(group, (index) => servers[index]!.weight, random));
}

function shuffled(indexes: readonly number[], weightOf: (index: number) => number, random: () => number): number[] {
  const left = [...indexes];
  const order: number[] = [];
  while (left.length > 1) {
    let drawn = random() * left.reduce((sum, index) => sum + weightOf(index), 0);
    const at = left.findIndex((index) => (drawn -= weightOf(index)) < 0);
    order.push(...left.splice(at === -1 ? left.length - 1 : at, 1));
  }
  return [...order, ...left];
}
