import { spawn } from 'node:child_process';

/*
 * `npm run check`: checks the contract, the code, drift of `generated/`, types and format in parallel. Each check
 * prints its output when it ends. The exit code is 1 if any check failed.
 */

const scripts = ['lint', 'drift', 'typecheck', 'formatted', 'lint:code'] as const;

/** Runs one script of package.json and prints its result. Returns whether it succeeded. */
function check(script: (typeof scripts)[number]): Promise<boolean> {
  const begunAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(`npm run -s ${script}`, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
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

const results = await Promise.all(scripts.map(check));
process.exitCode = results.every(Boolean) ? 0 : 1;
