/** Returns a set with the item if it was not in it, and without it otherwise. */
export function toggled<Item>(set: ReadonlySet<Item>, item: Item): Set<Item> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
