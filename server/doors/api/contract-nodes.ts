/** A JSON value of the contract, read as it stands. */
export type Json = Record<string, any>;

/** Calls a function with every object in a value, before those within it. */
export function eachObject(value: unknown, visit: (node: Json) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value)) visit(value);
  for (const one of Object.values(value)) eachObject(one, visit);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a component in place of its reference. */
export function followed(document: Json, node: Json): Json {
  if (typeof node.$ref !== 'string') return node;
  const [, ...steps] = node.$ref.split('/');
  return steps.reduce<Json>((at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}
