/**
 * `.ci/run` ends with this. Installs the programs and npm packages that tests need, runs `npm run test:all`, and runs
 * each file that failed once more, alone. The exit code is 1 if a test failed.
 */
import { execSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findProgram, missingPackages } from '../test/support/programs.ts';
import { neverRepeated } from '../vitest.config.ts';
import { judge, wordsFor, type Outcome } from './outcome.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'cubby-ci-'));

/** Installs what is missing. Returns whether all programs are there. */
function installPrograms(): boolean {
  const packages = missingPackages();
  if (packages.length === 0) return true;
  const why =
    process.getuid?.() !== 0
      ? 'this user is not root'
      : findProgram('apt-get') === undefined
        ? 'there is no apt-get'
        : aptGet('update') && aptGet('install', '--yes', '--no-install-recommends', ...packages)
          ? undefined
          : 'apt-get has failed';
  // The tests start their own. Those of the system would hold ports and disk.
  spawnSync('systemctl', ['disable', '--now', 'prometheus', 'caddy'], { stdio: 'ignore' });
  if (why !== undefined) console.log(`Not installed, because ${why}: ${packages.join(' ')}. Their tests are skipped.`);
  return why === undefined;
}

function aptGet(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/** Runs a command that runs vitest with our reporter. */
async function outcomeOf(command: string, args: readonly string[]): Promise<Outcome> {
  const file = join(folder, 'outcome.json');
  rmSync(file, { force: true });
  const child = spawn(command, [...args, '--reporter=./.ci/reporter.ts'], {
    cwd: root,
    env: { ...process.env, ...required, CUBBY_CI_OUTCOME: file },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  try {
    return { ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<Outcome, 'exitCode'>), exitCode };
  } catch {
    return { files: [], errors: [], exitCode: exitCode === 0 ? 1 : exitCode };
  }
}

const required = installPrograms() ? { CUBBY_TEST_PROGRAMS: 'required' } : {};
// After the programs, because Python installs some of its packages.
execSync('npm run --silent install:programs', { cwd: root, stdio: 'inherit' });
const fixed = new Set(globSync(neverRepeated, { cwd: root, exclude: ['**/node_modules/**'] }));
const verdict = await judge(
  await outcomeOf('npm', ['run', '--silent', 'test:all', '--', ...process.argv.slice(2)]),
  (path) => !fixed.has(path),
  (path) => {
    console.log(`\nOnce more, alone: ${path}`);
    return outcomeOf(join(root, 'node_modules/.bin/vitest'), ['run', path]);
  },
);
rmSync(folder, { recursive: true });
console.log(wordsFor(verdict));
process.exitCode = verdict.failed.length === 0 ? 0 : 1;
