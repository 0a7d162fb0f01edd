import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/*
 * `npm run check`: checks the contract, the code, drift of `generated/`, types and format in parallel. Each check
 * prints its output when it ends. The exit code is 1 if any check failed.
 */

const checks = ['lint', 'drift', 'typecheck', 'formatted', 'lint:code'] as const;
const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** Each npm would take as long to start as some of the checks to run. */
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };

/** Runs one script of package.json and prints its result. Returns whether it succeeded. */
function check(script: (typeof checks)[number]): Promise<boolean> {
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

const results = await Promise.all(checks.map(check));
process.exitCode = results.every(Boolean) ? 0 : 1;
