import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { runCli } from '#server/cli/program.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { cubbyHere, temporaryFolder } from './cubby.ts';

const run = promisify(execFile);

async function scriptFor(shell: string): Promise<string> {
  const folder = await temporaryFolder();
  const { code, stdout, stderr } = await cubbyHere(folder)('completion', shell);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const path = join(folder, 'script');
  await writeFile(path, stdout);
  return path;
}

function has(program: string): boolean {
  try {
    execFileSync(program, ['-c', 'exit 0']);
    return true;
  } catch {
    return false;
  }
}

/** Returns what bash offers behind these words. The last one is being typed. */
async function offered(script: string, ...words: readonly string[]): Promise<string[]> {
  needPrograms('bash');
  const typed = ['cubby', ...words].map((word) => `'${word}'`).join(' ');
  const commands =
    `source ${script}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _cubby; printf '%s\\n' ` +
    `"\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['--norc', '-uc', commands]);
  return stdout.trimEnd().split('\n').filter(Boolean);
}

describe('cubby completion', () => {
  it('bash offers commands, their options, and those of the commands above', async () => {
    const script = await scriptFor('bash');
    expect(await offered(script, 'acc')).toEqual(['account']);
    expect(await offered(script, 'account', 's')).toEqual(
      expect.arrayContaining(['show', 'set-plan', 'set-quota', 'suspend']),
    );
    expect(await offered(script, 'account', 'list', '--')).toEqual(
      expect.arrayContaining(['--search', '--watch', '--json', '--help']),
    );
    expect(await offered(script, 'operator', 'key', '')).toEqual(expect.arrayContaining(['create', 'list', 'revoke']));
    // Options and arguments in between do not matter.
    expect(await offered(script, '--json', 'account', 'show', '123456789012345678', '--he')).toEqual(['--help']);
    expect(await offered(script, 'account', 'show', 'x')).toEqual([]);
  });

  it.each(['zsh', 'fish'])('%s gets a script that it can read', async (shell) => {
    const script = await scriptFor(shell);
    // Where the shell is not installed, at least the script names a command and an option.
    if (has(shell)) await run(shell, ['-n', script]);
    const { stdout } = await run('cat', [script]);
    expect(stdout).toMatch(/set-quota/);
    expect(stdout).toMatch(/expires-in/);
  });

  it('refuses another shell', async () => {
    const { code, stderr } = await cubbyHere(await temporaryFolder())('completion', 'tcsh');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('The shells are bash, zsh, fish.') });
  });
});

describe('cubby', () => {
  it('--version prints the version of package.json', async () => {
    const { code, stdout } = await cubbyHere(await temporaryFolder())('--version');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('list --watch prints the list again and again, with --json a line each time', async () => {
    const folder = await temporaryFolder();
    const cubby = cubbyHere(folder);
    await cubby.json('account', 'create', '--name', 'a', '--plan', 'pro');
    let out = '';
    const counts = () =>
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).length);
    const args = ['account', 'list', '--watch', '0.1', '--json'];
    const streams = { out: (text: string) => (out += text), err: (text: string) => (out += text) };
    const watching = runCli(args, { CUBBY_DATA_DIR: folder }, streams);
    await expect.poll(() => counts()).toContain(1);
    await cubby.json('account', 'create', '--name', 'b', '--plan', 'pro');
    await expect.poll(() => counts()).toContain(2);
    process.emit('SIGTERM', 'SIGTERM');
    expect(await watching).toBe(0);
  });
});
