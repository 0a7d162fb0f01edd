import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { programEnv } from '#test/support/command.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from './cubby.ts';

const root = join(import.meta.dirname, '../..');
const masterKey = 'k'.repeat(40);

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ env: { CUBBY_MASTER_KEY: masterKey } });
  account = await server.account();
});
afterAll(() => server.stop());

describe('docs/deploys.md', () => {
  it('works line by line, from the webhook to the output of the command', async () => {
    const text = await readFile(join(root, 'docs/deploys.md'), 'utf8');
    const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, lines]) => lines!);
    expect(blocks).toHaveLength(9);
    const [webhook, filters, hook, runner, outcome, control, statuses, bare, copy] = blocks;
    const script = [
      'set -e',
      `cubby() { "${process.execPath}" "${join(root, 'server/cli/main.js')}" "$@"; }`,
      webhook,
      filters,
      bare,
      copy,
      runner,
      outcome,
      control,
      hook,
      statuses,
    ].join('\n');
    const place = await temporaryFolder();
    const variables = {
      ...programEnv,
      HOME: place,
      CUBBY_DATA_DIR: server.dataDir,
      CUBBY_MASTER_KEY: masterKey,
      ACCOUNT: account.id,
      KEY: account.credential,
      API: server.running.urls.api,
    };
    const { stdout, stderr } = await bash(script, place, variables);
    expect(stderr).toMatch(/remote: Deploy dep_\w+ of main at [0-9a-f]{7} is queued\./);
    expect(stdout).toMatch(/1 deploys run\./);
    expect(stdout).toMatch(/deploying [0-9a-f]{40} of main: Show the invoice of April/);
    expect(stdout).toMatch(/"state":"success","branch":"main"/);
    expect(stdout).toMatch(/\n\[cubby\] The command ended with exit code 0\.\n[^\n]*"state":"pending"/);
  });
});

async function bash(
  script: string,
  cwd: string,
  variables: NodeJS.ProcessEnv,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  needPrograms('bash', 'curl');
  const child = spawn('bash', ['-c', script], { cwd, env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  const read = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (read.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (read.stderr += text));
  const [code] = await once(child, 'close');
  expect(code, read.stderr).toBe(0);
  return read;
}
