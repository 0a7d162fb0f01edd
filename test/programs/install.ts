/**
 * `npm run install:programs [-- GROUP …]`: installs the npm packages that only some tests run, each group from its lock
 * file. It links them into `node_modules/`, where every import finds them. `npm ci` removes the links, and this makes
 * them again within seconds.
 */
import { execSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { folderOfGroup, packageGroups, placeOf } from '../support/packages.ts';

/** Their peers are in the project's own `node_modules/`, and no package may run a script. */
const command = 'npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error';

function install(group: string): void {
  const folder = folderOfGroup(group);
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
    console.log(`test/programs/${group}:`);
    execSync(command, { cwd: folder, stdio: 'inherit' });
    writeFileSync(installed, lock);
  }
  for (const name of Object.keys(packageGroups.get(group)!)) link(join(folder, 'node_modules', name), placeOf(name));
}

function link(from: string, to: string): void {
  if (lstatSync(to, { throwIfNoEntry: false })?.isDirectory()) rmSync(to, { recursive: true });
  rmSync(to, { force: true });
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(process.platform === 'win32' ? from : relative(dirname(to), from), to, 'junction');
}

const asked = process.argv.slice(2);
const unknown = asked.filter((group) => !packageGroups.has(group));
if (unknown.length > 0)
  throw new Error(`No group is named ${unknown.join(', ')}. There are ${[...packageGroups.keys()].join(', ')}.`);
for (const group of asked.length > 0 ? asked : packageGroups.keys()) install(group);
// Types are checked with what is installed, and Vitest keeps modules in which a missing package is an empty one.
for (const cache of ['.cache/checks', '.vitest-cache']) rmSync(placeOf(cache), { recursive: true, force: true });
