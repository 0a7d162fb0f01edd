import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync, type Dirent } from 'node:fs';
import { delimiter, join } from 'node:path';

import { ensureModules } from './modules.ts';

/*
 * `npm run check`: checks the contract, the code, drift of `generated/`, types and format in parallel. Each check
 * prints its output when it ends. The exit code is 1 if any check failed. A check that has succeeded is left out until
 * one of its inputs changes. After `npm ci`, all checks run again.
 */

const contract = ['openapi/**/*.*', 'redocly.yaml', '.redocly.lint-ignore.yaml'];
const code = ['{openapi,generated,uploader,console,server,mocks,examples,test,bench}/**/*.*', '*.{ts,json}', '.ox*'];

/** The scripts of package.json that check, and the files that each reads. The packages' versions count for all. */
const checks = {
  lint: contract,
  drift: [...contract, 'generated/*'],
  typecheck: code,
  formatted: code,
  'lint:code': code,
};
const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** Runs the scripts without npm, because npm takes as long to start as some of the checks take to run. */
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };

const cache = join(root, 'node_modules/.cache/checks');

/** Hashes the names and bytes of files. */
function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  const exclude = (entry: Dirent) => entry.name === 'node_modules';
  const inputs = ['package.json', 'package-lock.json', ...patterns];
  for (const entry of globSync(inputs, { cwd: root, withFileTypes: true, exclude }).toSorted(byPath)) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    hash.update(path).update('\0').update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** Runs one script of package.json and prints its result. Returns whether it succeeded. */
async function check([script, inputs]: readonly [string, readonly string[]]): Promise<boolean> {
  const hash = hashOf(inputs);
  const kept = join(cache, script.replace(':', '-'));
  if (readIfThere(kept) === hash) return (console.log(`✓ ${script} (unchanged)`), true);
  const isGood = await run(script);
  mkdirSync(cache, { recursive: true });
  writeFileSync(kept, isGood ? hash : '');
  return isGood;
}

function run(script: string): Promise<boolean> {
  const begunAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(scripts[script]!, { shell: true, cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => {
      const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
      console.log(code === 0 ? `✓ ${script} (${seconds} s)` : `${output.trimEnd()}\n✗ ${script} (${seconds} s)`);
      resolve(code === 0);
    });
  });
}

function byPath(a: Dirent, b: Dirent): number {
  return join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

// Types of the client are read by the console and by tests.
await ensureModules();
const results = await Promise.all(Object.entries(checks).map(check));
process.exitCode = results.every(Boolean) ? 0 : 1;
