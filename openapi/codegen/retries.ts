import { operationsOf, resolve, responsesOf, type Json } from './document.ts';

/** When a request that got a code may be sent again. */
export interface Retry {
  /** The usual value of `Retry-After`, in seconds. */
  readonly afterSeconds: number;
  /** False: clients are told not to try by themselves. */
  readonly shouldRetry?: false;
}

/**
 * Returns the codes that come with `Retry-After`, as `x-retry-after` of their examples declares it. A code is the name of
 * its example, and is alike in every vocabulary.
 */
export function retriesOf(document: Json): ReadonlyMap<string, Retry> {
  const found = new Map<string, Retry>();
  const note = (examples: Json) => {
    for (const [code, reference] of Object.entries<Json>(examples)) {
      const { 'x-retry-after': afterSeconds, 'x-should-retry': shouldRetry } = resolve(document, reference);
      if (afterSeconds === undefined) continue;
      const known = found.get(code);
      if (known && (known.afterSeconds !== afterSeconds || known.shouldRetry !== shouldRetry))
        throw new Error(`Two examples of ${code} say differently when to try again.`);
      found.set(code, { afterSeconds, ...(shouldRetry === false && { shouldRetry }) });
    }
  };
  for (const operation of operationsOf(document))
    for (const { response } of responsesOf(document, operation))
      for (const { examples = {} } of Object.values<Json>(response.content ?? {})) note(examples);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
