import { globSync } from 'node:fs';
import { basename, sep } from 'node:path';

import { folder } from './files.mjs';

const files = new Map();
for (const file of globSync('schemas/*/*.yaml', { cwd: folder })) {
  const name = basename(file, '.yaml');
  // The bundle has one list of names, and would add a number to the second one.
  if (files.has(name)) throw new Error(`Two schemas have the name ${name}: ${files.get(name)} and ${file}.`);
  files.set(name, file.split(sep).join('/'));
}

/** Returns the file of a schema, from the folder of the contract: `schemas/shares/Share.yaml` for `Share`. */
export function schemaFile(name) {
  const file = files.get(name);
  if (!file) throw new Error(`There is no schema ${name}: write openapi/schemas/<feature>/${name}.yaml.`);
  return file;
}
