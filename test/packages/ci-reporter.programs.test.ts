import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { programEnv } from '#test/support/command.ts';

const root = join(import.meta.dirname, '../..');

const files = {
  'good.test.ts': `
    it('passes', () => {});
    it.skip('is skipped', () => {});
    it.skipIf(true)('needs a program (skipped: there is no curl (Debian: apt-get install curl))', () => {});
    it('says it later', ({ skip }) => skip('there is no go'));`,
  'bad.test.ts': `it('passes', () => {}); it('fails', () => expect(1).toBe(2));`,
  'hook.test.ts':
    `describe('with a hook', () => { beforeAll(() => { throw new Error('no hook'); }); it('never ` +
    `runs', () => {}); });`,
  'broken.test.ts': `throw new Error('cannot be loaded');`,
};

it('the reporter of the continuous integration tells of each file, and why tests were skipped', async () => {
  await mkdir(join(root, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(root, 'dist/ci-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true, name: "here" } };');
  const args = ['run', '--root', folder, '--reporter', join(root, '.ci/reporter.ts')];
  const outcome = join(folder, 'outcome.json');
  const { code, printed } = await new Promise<{ code: unknown; printed: string }>((done) =>
    execFile(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), ...args],
      { cwd: folder, env: { ...programEnv, CUBBY_CI_OUTCOME: outcome, NO_COLOR: '1' } },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, printed: stdout + stderr }),
    ),
  );
  expect(code, printed).toBe(1);
  const told = JSON.parse(await readFile(outcome, 'utf8'));
  const byPath = Object.fromEntries(told.files.map((file: any) => [file.path, file]));
  expect(byPath['good.test.ts']).toMatchObject({ passed: 1, skipped: 3, failures: [] });
  expect(byPath['bad.test.ts']).toMatchObject({
    passed: 1,
    failures: [{ name: 'here bad.test.ts > fails', message: expect.stringContaining('expected 1 to be 2') }],
  });
  expect(byPath['hook.test.ts'].failures).toEqual([
    { name: 'here hook.test.ts', message: expect.stringContaining('no hook') },
  ]);
  expect(byPath['broken.test.ts'].failures).toEqual([
    { name: 'here broken.test.ts', message: expect.stringContaining('cannot be loaded') },
  ]);
  expect(told.errors).toEqual([]);
  expect(printed).toMatch(/✓ here good\.test\.ts \(1 passed, 0 failed, 3 skipped/);
  expect(printed).toContain('Skipped, because there is no curl (Debian: apt-get install curl):\n  good.test.ts (1)');
  expect(printed).toContain('Skipped, because there is no go:\n  good.test.ts (1)');
  // The exit code and the last line of `.ci/run` decide. A summary of this run would say something else.
  expect(printed).not.toMatch(/Test Files|Tests +\d/);
});
