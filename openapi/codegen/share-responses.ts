import { createHash } from 'node:crypto';

import { operationsOf, type Json } from './document.ts';

/**
 * Moves each response that several operations have word for word into `components.responses`. Most are refusals. They are
 * half of the contract otherwise, and every new operation repeats them.
 */
export function shareResponses(document: Json): Json {
  const copy: Json = structuredClone(document);
  const places = operationsOf(copy).flatMap(({ spec }) =>
    Object.entries<Json>(spec.responses).map(([status, response]) => ({ responses: spec.responses, status, response })),
  );
  const alike = Map.groupBy(places, ({ status, response }) => `${status} ${JSON.stringify(response)}`);
  for (const same of alike.values()) {
    const [{ status, response }] = same as [(typeof same)[0]];
    if (same.length === 1 || response.$ref) continue;
    const name = nameOf(status, response);
    if (copy.components.responses[name]) throw new Error(`Two responses got the name ${name}. Make its hash longer.`);
    copy.components.responses[name] = response;
    for (const place of same) place.responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return copy;
}

/** Names a response by its status and its codes. What else it says is in a hash, so no other response changes the name. */
function nameOf(status: string, response: Json): string {
  const media: Json[] = Object.values(response.content ?? {});
  const [first, ...others] = Object.keys(media[0]?.examples ?? {});
  const codes = first === undefined ? [] : [others.length === 0 ? first : `${first}-and-${others.length}`];
  const hash = createHash('sha256').update(JSON.stringify(response)).digest('hex').slice(0, 6);
  return [status, ...codes, hash].join('-');
}
