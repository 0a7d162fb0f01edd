import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { noUseExitCode, oldestNode, problemOfNode } from '#server/check-node.js';
import { importsOf } from '#test/architecture/imports.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const entries = ['server/main.js', 'server/cli/main.js', 'mocks/sandbox/main.js'];

describe('an old version of Node', () => {
  it('is told from a new one, and gets a sentence that says what to do', () => {
    for (const version of ['v24.0.0', 'v24.21.0', 'v25.1.0', 'v100.0.0'])
      expect(problemOfNode(version, 'x')).toBeUndefined();
    for (const version of ['v20.0.0', 'v22.18.0', 'v23.11.1', 'v8.0.0'])
      expect(problemOfNode(version, '/usr/bin/node')).toBe(
        `Cubby needs Node 24 or newer, and /usr/bin/node is ${version}. Use "npm start", which takes the Node ` +
          'that npm has installed with Cubby, or install Node 24.',
      );
  });

  it.each(entries)('can read %s up to the check: all other imports come after it', (entry) => {
    const text = read(entry);
    const statics = text.match(/^import .*$/gm)!;
    expect(statics).toEqual([expect.stringMatching(/^import \{ checkNode \} from '.*check-node\.js';$/)]);
    expect(text.indexOf('checkNode();')).toBeLessThan(text.indexOf('await import('));
    expect(importsOf('server/check-node.js')).toEqual([]);
  });

  it('ends a service that systemd would otherwise start again and again', () => {
    expect(read('deploy/systemd/cubby.service')).toContain(`RestartPreventExitStatus=${noUseExitCode}\n`);
  });

  it('is the same everywhere: in the starter, the documents and what npm installs', () => {
    expect(read('mocks/consumer/node-program.js')).toContain(`const oldest = [${oldestNode}, 0];`);
    for (const file of ['README.md', 'docs/installing.md', 'docs/start/run.md'])
      expect(read(file)).toContain(`Node ${oldestNode}`);
    const { engines, optionalDependencies } = JSON.parse(read('package.json'));
    for (const version of Object.values<string>(optionalDependencies))
      expect(version).toMatch(new RegExp(`^${oldestNode}\\.`));
    // What npm itself needs here: the starter and the client run on it.
    expect(engines.node).toBe('>=20');
    expect(read('README.md')).toContain('Node 20 or newer');
    expect(JSON.parse(read('uploader/package/package.json')).engines.node).toBe(engines.node);
  });

  /** A Node of the machine, without the one in node_modules. */
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  it.for(entries)('ends %s with that sentence, if the machine has one', async (entry, { skip }) => {
    const run = (args: readonly string[]) =>
      new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
        execFile('node', args, { cwd: root, env: { PATH: path } }, (error, stdout, stderr) =>
          done({ code: error?.code ?? 0, stdout, stderr }),
        ),
      );
    const version = (await run(['--version'])).stdout.trim();
    if (version === '' || problemOfNode(version, '') === undefined) return skip('there is no Node before 24 in PATH');
    const { code, stdout, stderr } = await run([entry]);
    expect({ code, stdout }).toEqual({ code: noUseExitCode, stdout: '' });
    expect(stderr).toMatch(/^Cubby needs Node 24 or newer, and .* is v\d+\.\d+\.\d+\. .*\n$/);
  });
});
