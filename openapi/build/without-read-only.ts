import type { Json } from '../codegen/document.ts';

/**
 * Returns the contract without the fields that a request may repeat from a response, and that are ignored there. People and
 * types are not told to send them.
 */
export function withoutReadOnly(document: Json): Json {
  return JSON.parse(JSON.stringify(document), (name, value: Json) =>
    name === 'properties' && typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).filter(([, field]) => field?.readOnly !== true))
      : value,
  );
}
