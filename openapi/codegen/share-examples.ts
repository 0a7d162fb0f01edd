import { createHash } from 'node:crypto';

import { operationsOf, type Json } from './document.ts';

/**
 * Moves each example that stands in several responses into `components.examples`. They are those of errors that are made
 * from others, in the form of another protocol.
 */
export function shareExamples(document: Json): Json {
  const copy: Json = structuredClone(document);
  const places = operationsOf(copy).flatMap(({ spec }) =>
    Object.values<Json>(spec.responses)
      .flatMap((response) => Object.values<Json>(response.content ?? {}))
      .flatMap(({ examples = {} }) =>
        Object.entries<Json>(examples).map(([key, example]) => ({ examples, key, example })),
      ),
  );
  const alike = Map.groupBy(
    places.filter(({ example }) => example.$ref === undefined),
    ({ example }) => JSON.stringify(example),
  );
  for (const [text, same] of alike) {
    const [{ key, example }] = same as [(typeof same)[0]];
    if (same.length === 1) continue;
    const name = `${key}-${createHash('sha256').update(text).digest('hex').slice(0, 6)}`;
    copy.components.examples[name] = example;
    for (const place of same) place.examples[place.key] = { $ref: `#/components/examples/${name}` };
  }
  return copy;
}
