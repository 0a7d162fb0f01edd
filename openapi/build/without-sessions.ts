import type { Json } from '../codegen/document.ts';

/**
 * Returns the contract without the sessions of browsers. A browser adds the cookie by itself, and the client would send its
 * key in each place that a credential has.
 */
export function withoutSessions(document: Json): Json {
  const copy: Json = structuredClone(document);
  for (const item of Object.values<Json>(copy.paths))
    for (const operation of Object.values<Json>(item))
      if (Array.isArray(operation?.security))
        operation.security = operation.security.filter((one: Json) => !one.consoleSession && !one.operatorSession);
  return copy;
}
