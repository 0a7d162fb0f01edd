import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Json } from '../codegen/document.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'openapi/released');

/** Words for people, and values that no client depends on. */
const dropped: ReadonlySet<string> = new Set([
  'description',
  'example',
  'title',
  'x-enum-descriptions',
  'contact',
  'license',
]);

/** Returns the parts of a contract that {@link contractChanges} compares. Of examples, only their names stay: the codes. */
function essentials(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => essentials(entry));
  if (value === null || typeof value !== 'object') return value;
  const isNames = name === 'properties' || name === 'examples';
  const kept = Object.entries(value).flatMap(([key, inner]): Array<readonly [string, unknown]> => {
    if (isNames) return [[key, name === 'examples' ? {} : essentials(inner)]];
    // A list of examples belongs to a schema, and a map of them to a body.
    if (dropped.has(key) || (key === 'examples' && Array.isArray(inner))) return [];
    return [[key, essentials(inner, key)]];
  });
  return Object.fromEntries(kept);
}

/** Compares versions such as `1.10.0`. */
export function byVersion(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number));
  return left!.map((part, index) => part - (right![index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Returns the contracts of all released versions, oldest first. */
export async function releasedContracts(): Promise<Json[]> {
  const versions = (await readdir(folder)).map((name) => name.replace(/\.json$/, '')).toSorted(byVersion);
  return Promise.all(
    versions.map(async (version) => JSON.parse(await readFile(join(folder, `${version}.json`), 'utf8')) as Json),
  );
}

/** Keeps the present contract as that of its version. Fails if that version was released with another one. */
async function release(): Promise<void> {
  const document: Json = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
  const { version } = document.info;
  const file = join(folder, `${version}.json`);
  const text = `${JSON.stringify(essentials(document), null, 1)}\n`;
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined && kept !== text)
    throw new Error(
      `Version ${version} was released with another contract. Set a new version in openapi/openapi.yaml.`,
    );
  await mkdir(folder, { recursive: true });
  await writeFile(file, text);
  console.log(`The contract is kept as version ${version}.`);
}

if (import.meta.main) await release();
