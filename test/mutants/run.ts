import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { guards } from './guards.ts';
import { mutantsOf, type Mutant } from './mutations.ts';
import { explained } from './survivors.ts';

/*
 * `npm run mutants`: changes the code of the files that guard something, one operator or refusal at a time, and runs
 * those tests of `npm test` that reach the place. At least 90 % of the changes must make one fail, and each of the
 * others needs its line in `survivors.ts`.
 */

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many mutants of each file are tried. */
    each: { type: 'string', default: '4' },
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    /** Runs all tests once, to learn anew which mutants each of them reaches. */
    reach: { type: 'boolean', default: false },
    /** At most so many test files are run for a mutant, the nearest first. */
    tests: { type: 'string', default: '40' },
  },
});
const least = 0.9;
const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/mutants');
const env = { ...process.env, CUBBY_TEST_QUICK: '1', NO_COLOR: '1' };

/** Runs tests until one fails. Returns whether all have passed, and what was printed. */
async function passes(args: readonly string[], more: Readonly<Record<string, string>>) {
  const all = ['run', '--config', 'test/mutants/vitest.config.ts', '--project', 'sqlite', ...args];
  const child = spawn('vitest', all, { cwd: root, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
  const [code] = (await once(child, 'close')) as [number | null];
  return { passed: code === 0, printed };
}

/** Returns, by the id of each mutant, the test files that reach it, those that reach the fewest others first. */
async function reaches(): Promise<ReadonlyMap<string, readonly string[]>> {
  if (options.reach || !existsSync(cache)) {
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    console.log('Running all tests, to learn what each of them reaches …');
    const { passed, printed } = await passes([], { CUBBY_MUTANT_REACHED: cache });
    if (!passed) console.log(printed.slice(-3000));
  }
  const read = readdirSync(cache).map((name) => JSON.parse(readFileSync(join(cache, name), 'utf8')) as Reached);
  const found = new Map<string, string[]>();
  for (const { path, ids } of read.toSorted((a, b) => a.ids.length - b.ids.length))
    if (existsSync(path)) for (const id of ids) found.set(id, [...(found.get(id) ?? []), relative(root, path)]);
  return found;
}

interface Reached {
  readonly path: string;
  readonly ids: readonly string[];
}

/** A sample that is the same for the same seed, whatever else changes in the file. */
function sample(mutants: readonly Mutant[]): readonly Mutant[] {
  if (options.all) return mutants;
  return mutants.toSorted((a, b) => rank(a) - rank(b)).slice(0, Number(options.each));
}

function rank({ id }: Mutant): number {
  let hash = 2166136261;
  for (const letter of `${options.seed} ${id}`) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619);
  return hash >>> 0;
}

/** Tests that import the file come first, then those that reach the least. */
function nearestFirst(file: string, tests: readonly string[]): readonly string[] {
  const name = file.replace(/^server\//, '#server/');
  const isNear = (test: string) => readFileSync(join(root, test), 'utf8').includes(`'${name}'`);
  return tests.toSorted((a, b) => Number(isNear(b)) - Number(isNear(a))).slice(0, Number(options.tests));
}

async function isKilled({ id, file }: Mutant, reached: readonly string[]): Promise<boolean> {
  const tests = nearestFirst(file, reached);
  for (let at = 0, size = 3; at < tests.length; at += size, size *= 4) {
    const run = await passes(['--bail', '1', ...tests.slice(at, at + size)], { CUBBY_MUTANT: id });
    if (!run.passed) return true;
  }
  return false;
}

const files = globSync(guards, { cwd: root }).filter(
  (file) => chosen.length === 0 || chosen.some((part) => file.includes(part)),
);
const known = await reaches();
const survivors: Mutant[] = [];
let tried = 0;
for (const file of files.toSorted()) {
  const { mutants } = mutantsOf(file, readFileSync(join(root, file), 'utf8'), '');
  console.log(file);
  for (const mutant of sample(mutants)) {
    const reached = known.get(mutant.id) ?? [];
    tried++;
    if (await isKilled(mutant, reached)) continue;
    survivors.push(mutant);
    const why =
      explained(mutant) ?? (reached.length === 0 ? 'no test reaches it' : `${reached.length} test files pass`);
    console.log(`  survived: ${mutant.id} (${why})`);
  }
}
const killed = tried - survivors.length;
console.log(
  `${killed} of ${tried} mutants in ${files.length} files are killed: ${((100 * killed) / tried).toFixed(1)} %`,
);
if (killed < least * tried || survivors.some((mutant) => explained(mutant) === undefined)) process.exitCode = 1;
