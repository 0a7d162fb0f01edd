import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Json } from '../codegen/document.ts';
import { contractChanges } from './contract-changes.ts';

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

/** Returns the contracts of all released versions, oldest first. There is no folder before the first release. */
export async function releasedContracts(): Promise<Json[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const versions = names.map((name) => name.replace(/\.json$/, '')).toSorted(byVersion);
  return Promise.all(
    versions.map(async (version) => JSON.parse(await readFile(join(folder, `${version}.json`), 'utf8')) as Json),
  );
}

/**
 * Returns what a contract must not be released with, one line each: changes that can break a client of a released version
 * with the same first number, and a version that is older than the last one.
 */
export function releaseProblems(released: readonly Json[], now: Json): string[] {
  const major = (document: Json) => Number(document.info.version.split('.')[0]);
  const breaks = released
    .filter((before) => major(before) === major(now))
    .flatMap((before) =>
      contractChanges(before, now)
        .filter(({ isBreaking }) => isBreaking)
        .map(({ operation, text }) => `since ${before.info.version}: ${operation}: ${text}`),
    );
  const latest = released.at(-1)?.info.version;
  const isOlder = latest !== undefined && byVersion(now.info.version, latest) < 0;
  return [...breaks, ...(isOlder ? [`version ${now.info.version} is older than ${latest}`] : [])];
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
