import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { lacking } from './programs.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'test/programs');

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

/** The groups of npm packages that only some tests run, each with its packages and their versions. */
export const packageGroups: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  globSync('*/package.json', { cwd: folder })
    .toSorted()
    .map((path) => [basename(dirname(path)), readManifest(join(folder, path)).dependencies ?? {}]),
);

const versions: Readonly<Record<string, string>> = Object.assign({}, ...packageGroups.values());

/** The folder of a group, with its manifest and lock file. */
export const folderOfGroup = (group: string): string => join(folder, group);

/** Where every import of this repository finds a package. */
export const placeOf = (name: string): string => join(root, 'node_modules', name);

/** Whether the version of the manifest is there. */
export function isInstalled(name: string): boolean {
  try {
    return readManifest(join(placeOf(name), 'package.json')).version === versions[name];
  } catch {
    return false;
  }
}

/** Returns the package of a group that an import means, or `undefined`. */
export function packageOf(specifier: string): string | undefined {
  const [scope, name] = specifier.split('/', 2);
  const found = scope!.startsWith('@') ? `${scope}/${name}` : scope!;
  return Object.hasOwn(versions, found) ? found : undefined;
}

/**
 * Returns the reason why tests with these npm packages cannot run, or `undefined` if they can. Use it as `noProgram()`.
 * Without a package its import is an empty module (vitest.config.ts), so a file can import it and skip its tests.
 *
 * @throws with `CUBBY_TEST_PROGRAMS=required`, if a package is missing
 */
export function noPackage(...names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !Object.hasOwn(versions, name));
  if (unknown !== undefined) throw new Error(`${unknown} is in no manifest of test/programs/.`);
  const absent = names.filter((name) => !isInstalled(name));
  return absent.length === 0 ? undefined : lacking(`there is no ${absent.join(', ')} (npm run install:programs)`);
}
