interface Prefixed {
  readonly prefix: string;
}

interface Listed {
  readonly key: string;
  readonly size: number;
  readonly createdAt: string;
}

/** Returns the rule that applies to a key: the one with the longest prefix. Prefixes end in `/`. */
export function ruleFor<R extends Prefixed>(rules: readonly R[], key: string): R | undefined {
  return rules
    .filter(({ prefix }) => key.startsWith(prefix))
    .reduce<R | undefined>((best, rule) => (best && best.prefix.length >= rule.prefix.length ? best : rule), undefined);
}

/** Which of the files under a rule's prefix it touches. */
interface Touched {
  readonly count: number;
  readonly bytes: number;
  readonly first: readonly string[];
  /** How many files have a longer rule, by its prefix. */
  readonly others: ReadonlyArray<readonly [prefix: string, count: number]>;
  /** How many of the touched files are older than the days after which the rule deletes. */
  readonly old: number;
}

/**
 * Sorts files under a prefix by the rule that will apply to them.
 *
 * @param others the prefixes of the other rules
 */
export function touchedBy(
  prefix: string,
  files: readonly Listed[],
  others: readonly string[],
  { deleteAfterDays, nowMs }: { readonly deleteAfterDays: number | undefined; readonly nowMs: number },
): Touched {
  const rules = [prefix, ...others].map((one) => ({ prefix: one }));
  const longer = new Map<string, number>();
  const own = files.filter(({ key }) => {
    const found = ruleFor(rules, key)?.prefix ?? prefix;
    if (found !== prefix) longer.set(found, (longer.get(found) ?? 0) + 1);
    return found === prefix;
  });
  const oldest = deleteAfterDays === undefined ? undefined : nowMs - (deleteAfterDays - 1) * 86_400_000;
  return {
    count: own.length,
    bytes: own.reduce((sum, { size }) => sum + size, 0),
    first: own.slice(0, 8).map(({ key }) => key),
    others: [...longer],
    old: oldest === undefined ? 0 : own.filter(({ createdAt }) => Date.parse(createdAt) <= oldest).length,
  };
}
