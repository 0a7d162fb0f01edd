import { eachObject, followed, isObject, type Json } from './contract-nodes.ts';

/** Removes the fields of features that are switched off: from schemas and their examples, and from parameters. */
export function removeFields(document: object, off: ReadonlySet<string>): void {
  // Examples first, because their schemas say which of their fields are to go.
  eachObject(document, ({ schema, examples }) => {
    if (schema && examples) removeFromExamples(document, { schema, examples }, off);
  });
  eachObject(document, (node) => {
    if (Array.isArray(node.parameters))
      node.parameters = node.parameters.filter((one: Json) => !off.has(followed(document, one)['x-feature']));
    if (!isObject(node.properties)) return;
    const names = Object.keys(node.properties).filter((name) => off.has(node.properties[name]?.['x-feature']));
    for (const name of names) delete node.properties[name];
    if (Array.isArray(node.required)) node.required = node.required.filter((name: string) => !names.includes(name));
  });
}

function removeFromExamples(document: Json, { schema, examples }: Json, off: ReadonlySet<string>): void {
  for (const [name, example] of Object.entries<Json>(examples)) {
    const value: unknown = followed(document, example)?.value;
    if (!isObject(value)) continue;
    const isShown = Object.keys(value).length > 0;
    removeFromValue(document, schema, value, off);
    // It showed nothing else.
    if (isShown && Object.keys(value).length === 0) delete examples[name];
  }
}

function removeFromValue(document: Json, schema: unknown, value: unknown, off: ReadonlySet<string>): void {
  if (!isObject(schema) || typeof value !== 'object' || value === null) return;
  const { properties = {}, items, allOf = [] } = followed(document, schema);
  for (const part of allOf) removeFromValue(document, part, value, off);
  if (Array.isArray(value)) for (const one of value) removeFromValue(document, items, one, off);
  if (!isObject(value)) return;
  for (const [name, field] of Object.entries<Json>(properties)) {
    if (off.has(field['x-feature'])) delete value[name];
    else removeFromValue(document, field, value[name], off);
  }
}
