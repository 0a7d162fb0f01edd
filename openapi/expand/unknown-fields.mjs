import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parse } from 'yaml';

import { folder } from './files.mjs';
import { schemaFile } from './schema-file.mjs';

const readOnly = { readOnly: true, description: 'Responses have this field. In a request it is ignored.' };

/**
 * Closes the body of an operation with `x-unknown-fields: refused`: its object, and the objects within it that name their
 * fields. A field that they do not name is then a violation. The fields of responses about the same resource
 * (`x-answered-as`) stay allowed, because clients send back what they have read.
 *
 * @param follow resolves a node from the file that it stands in: `{ node, file }`
 */
export function refuseUnknownFields(operation, follow) {
  if (operation['x-unknown-fields'] !== 'refused') return;
  for (const { schema } of Object.values(operation.requestBody.content)) {
    const { node, file } = follow(schema);
    close(node, node, file, follow);
  }
}

/** @param reference to the schema. It is the schema itself where nothing refers to it */
function close(reference, node, file, follow) {
  for (const part of node.allOf ?? []) {
    const { node: target, file: at } = follow(part, file);
    close(target, target, at, follow);
  }
  if (!node.properties || node.unevaluatedProperties === false) return;
  const answers = node['x-answered-as'];
  const ignored = (answers ?? []).flatMap((name) => fieldsOf({ $ref: schemaFile(name) }));
  for (const field of Object.values(node.properties)) closeField(field, file, follow);
  // What responses use too is closed only here, because their fields may become more.
  (answers ? node : reference).unevaluatedProperties = false;
  for (const name of ignored) node.properties[name] ??= readOnly;
}

function closeField(field, file, follow) {
  const { node, file: at } = follow(field, file);
  close(field, node, at, follow);
  if (node.items) closeField(node.items, at, follow);
}

/** Returns the names of the fields of a schema, with those of its parts. Its references are relative to `from`. */
function fieldsOf({ $ref, properties = {}, allOf = [] }, from = folder) {
  if ($ref) return fieldsOf(parse(readFileSync(join(from, $ref), 'utf8')), dirname(join(from, $ref)));
  return [...Object.keys(properties), ...allOf.flatMap((part) => fieldsOf(part, from))];
}
