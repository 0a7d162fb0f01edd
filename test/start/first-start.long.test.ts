import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Makes a fresh checkout with the packages of this one. */
async function freshCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-fresh-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  for (const file of stdout.split('\0').filter((name) => name !== '' && !/^(test|bench)\//.test(name))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file)).catch(() => {}); // deleted, and not committed
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

it(
  'the first start of a fresh checkout serves at once, and shows the documentation and the console when they are built',
  { timeout: 300_000 },
  async () => {
    const folder = await freshCheckout();
    const doors = Object.fromEntries(
      ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
    );
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    const child = spawn('npm', ['start'], {
      cwd: folder,
      env: { ...env, ...doors },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(async () => {
      if (child.exitCode === null && child.kill()) await once(child, 'exit');
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await expect.poll(() => printed, { timeout: 100_000 }).toMatch(/Documentation: .*\n/);
    // The documentation takes ten times as long to build as a server takes to listen. The console may be there already.
    const [, address] = /Documentation: (\S+)\/docs \(being built now; the page shows it as soon as it is there\)/.exec(
      printed,
    )!;
    expect(printed).toContain(`Console: ${address}/console`);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    const html = { Accept: 'text/html' };
    for (const path of ['/docs/', '/docs/operating', '/docs/errors/INVALID_BODY']) {
      const early = await fetch(address + path, { headers: html });
      expect([path, early.status, early.headers.get('Retry-After')]).toEqual([path, 503, '2']);
      const page = await early.text();
      expect(page).toContain('is being built');
      expect(page).toContain('<meta http-equiv="refresh" content="2">');
    }
    // A program gets the error of the API, as for every unknown address.
    expect((await fetch(`${address}/docs/operating`, { headers: { Accept: 'application/json' } })).status).toBe(404);
    const statusOf = async (path: string) => (await fetch(address + path, { headers: html })).status;
    await expect.poll(() => statusOf('/console'), { timeout: 200_000, interval: 500 }).toBe(200);
    await expect.poll(() => statusOf('/docs/operating'), { timeout: 200_000, interval: 500 }).toBe(200);
    expect(await (await fetch(`${address}/docs/`)).text()).toContain('<title>');
  },
);
