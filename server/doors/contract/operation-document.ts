import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';

/** A part of the contract. */
export type Json = Record<string, any>;

/**
 * Returns one operation of the contract for its validator, with the schemas and parameters that it refers to. Forms are
 * objects to the validator, as JSON is. Other bodies are left out, because they are streamed without validation. The
 * validator would reject a field that is `readOnly`, so it gets these fields without that word.
 */
export function documentOf(contract: Json, { path, method }: OperationPolicy): Json {
  const { openapi, info, servers } = contract;
  const { parameters = [], requestBody, 'x-raw-body': isRaw } = contract.paths[path][method];
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = requestBody?.content ?? {};
  const fields = isRaw ? undefined : (json ?? form);
  const operation: Json = { parameters, responses: {} };
  const components: Json = {};
  if (fields) {
    addReferred(contract, fields.schema, components);
    // The reference is resolved here, because the validator would compile the schema to do it.
    const [, name] = /^#\/components\/schemas\/(.+)$/.exec(fields.schema.$ref) ?? [];
    const schema = name === undefined ? fields.schema : components.schemas[name];
    operation.requestBody = { ...requestBody, content: { 'application/json': { schema } } };
  }
  addReferred(contract, parameters, components);
  // A copy, because the validator changes the document, and operations share schemas.
  return JSON.parse(
    JSON.stringify({ openapi, info, servers, paths: { [path]: { [method]: operation } }, components }),
    (name, value: unknown) => (name === 'readOnly' && value === true ? undefined : value),
  ) as Json;
}

/** Adds to `components` all that a part of the contract refers to with `$ref`, directly or through other components. */
function addReferred(contract: Json, part: unknown, components: Json): void {
  if (typeof part !== 'object' || part === null) return;
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(String((part as Json).$ref)) ?? [];
  if (kind !== undefined && name !== undefined && components[kind]?.[name] === undefined) {
    (components[kind] ??= {})[name] = contract.components[kind][name];
    addReferred(contract, components[kind][name], components);
  }
  for (const inner of Object.values(part)) addReferred(contract, inner, components);
}
