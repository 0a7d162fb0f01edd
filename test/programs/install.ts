/**
 * `npm run install:programs [-- GROUP …]`: installs the npm packages that only some tests run, each group from its lock
 * file. It links them into `node_modules/`, where every import finds them. `npm ci` removes the links, and this makes
 * them again within seconds. The group `python` has Python packages, which pip installs.
 */
import { execSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { folderOfGroup, packageGroups, placeOf } from '../support/packages.ts';
import { findProgram, programPath } from '../support/programs.ts';
import { pythonFolder, pythonRequirements } from '../support/python-packages.ts';

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

/** Without pip or its registry the tests of these packages are skipped. */
function installPython(): void {
  const wanted = readFileSync(pythonRequirements, 'utf8');
  const installed = join(pythonFolder, 'installed.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  console.log('test/programs/python:');
  rmSync(pythonFolder, { recursive: true, force: true });
  const options = [
    '--quiet',
    '--quiet',
    '--disable-pip-version-check',
    '--only-binary=:all:',
    '--no-deps',
    '--retries=0',
  ];
  const args = ['-m', 'pip', 'install', ...options, '--target', pythonFolder, '--requirement', pythonRequirements];
  const python = findProgram('python3');
  const env = { ...process.env, PATH: programPath };
  const status = python === undefined ? null : spawnSync(python, args, { env, stdio: 'inherit' }).status;
  if (status === 0) writeFileSync(installed, wanted);
  else {
    rmSync(pythonFolder, { recursive: true, force: true });
    console.log(
      'Not installed, because Python or its pip is missing or has failed. Tests that need these packages are skipped.',
    );
  }
}

const groups = [...packageGroups.keys(), 'python'];
const asked = process.argv.slice(2);
const unknown = asked.filter((group) => !groups.includes(group));
if (unknown.length > 0) throw new Error(`No group is named ${unknown.join(', ')}. There are ${groups.join(', ')}.`);
for (const group of asked.length > 0 ? asked : groups) {
  if (group === 'python') installPython();
  else install(group);
}
// Types are checked with what is installed, and Vitest keeps modules in which a missing package is an empty one.
for (const cache of ['.cache/checks', '.vitest-cache']) rmSync(placeOf(cache), { recursive: true, force: true });
