import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { because, noProgram } from '#test/support/programs.ts';
const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const isLong = process.env.CUBBY_TEST_LONG === '1';

/**
 * The environment of a user's shell, with npm's registry settings, without the variables that the tests or `npm run`
 * set.
 */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|NODE_(ENV|OPTIONS|PATH|COMPILE_CACHE)|VITEST|CUBBY_)/.test(name),
  ),
);

/** The released package, unpacked, with its production dependencies. It needs npm's cache or a registry. */
const missing = noProgram('tar', 'python3');

describe.skipIf(!isLong || missing)(
  `the packed package, installed with --omit=dev (test:long)${because(missing)}`,
  () => {
    let folder: string;
    let cubby: string;
    let server: ChildProcess;
    let printed = '';
    let api: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'cubby-packed-'));
      await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, env });
      const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
      await run('tar', ['xzf', tarball!], { cwd: folder });
      cubby = join(folder, 'package');
      await run('npm', ['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: cubby,
        env,
      });
      const ports = await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort()]);
      const variables = Object.fromEntries(
        ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door, index) => [`CUBBY_${door}_PORT`, String(ports[index])]),
      );
      api = `http://localhost:${ports[0]}`;
      server = spawn('npm', ['start'], {
        cwd: cubby,
        env: { ...env, ...variables, CUBBY_DATA_DIR: join(folder, 'data') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [server.stdout!, server.stderr!])
        stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
      while (
        server.exitCode === null &&
        !(printed.includes('curl') && (await fetch(`${api}/readyz`).catch(() => undefined))?.ok)
      )
        await sleep(100);
    }, 600_000);
    afterAll(async () => {
      if (server?.exitCode === null && server.kill('SIGTERM')) await once(server, 'exit');
      await rm(folder, { recursive: true, force: true });
    });

    it('starts without generating anything, and without messages about missing parts', () => {
      expect(server.exitCode, printed).toBeNull();
      expect(printed).toContain('here is your first account');
      expect(printed).not.toMatch(/documentation is not made|Making the documentation|plain text/);
    });

    it.each([
      ['/docs/', 'Cubby'],
      ['/docs/operating', '<h1 id="running-cubby"'],
      ['/docs/errors', 'INVALID_BODY'],
      ['/docs/errors/STORAGE_QUOTA_EXCEEDED', 'uploadobject'],
      ['/docs/upload-demo', '<cubby-upload'],
      ['/docs/modules/uploader/index.js', 'export'],
      ['/docs/modules/uploader/element/element.js', 'cubby-upload'],
      ['/docs/modules/uploader/demo/demo.js', 'import'],
      ['/docs/modules/client/index.js', 'export'],
      ['/openapi.json', '"openapi"'],
      ['/openapi.yaml', 'openapi: 3.1'],
    ])('serves %s', async (path, words) => {
      const response = await fetch(api + path);
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(words)]);
    });

    it('serves the whole reference, not the text that is made without development dependencies', async () => {
      const page = await (await fetch(`${api}/docs/`)).text();
      const [, script] = /src="\/docs\/(assets\/app[^"]+)"/.exec(page)!;
      expect((await fetch(`${api}/docs/${script}`)).status).toBe(200);
      expect(await (await fetch(`${api}/docs/redoc/objects`)).text()).toMatch(/assets\/redoc\.[\w-]+\.js/);
    });

    it.each(['cubby-server/client', 'cubby-server/uploader'])('lets programs import %s', async (name) => {
      const { stdout } = await run(
        'node',
        ['-e', `import('${name}').then((module) => console.log(Object.keys(module).length))`],
        { cwd: cubby, env },
      );
      expect(Number(stdout)).toBeGreaterThan(0);
    });

    it('starts a sandbox for a program that depends on it, within half a second', async () => {
      const consumer = join(folder, 'consumer');
      await mkdir(consumer);
      await writeFile(join(consumer, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
      const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
      const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
      await run('npm', ['install', ...flags, join(folder, tarball!)], { cwd: consumer, env });
      await writeFile(
        join(consumer, 'try.js'),
        `import { fixtures } from 'cubby-server/fixtures';
import { startSandbox } from 'cubby-server/sandbox';

const times = [];
for (let count = 0; count < 5; count++) {
  const begunAt = performance.now();
  const sandbox = await startSandbox();
  times.push(performance.now() - begunAt);
  await sandbox.stop();
}
await using sandbox = await startSandbox();
const { files, shares } = await sandbox.seed({
  files: [{ path: 'photos/a.png', sizeBytes: 40000 }],
  shares: [{ file: 'photos/a.png', password: 'secret-word' }],
});
const status = (await fetch(files[0].url)).status;
const { code: codes } = fixtures.listObjects.RATE_LIMITED;
console.log(JSON.stringify({ best: Math.min(...times), status, password: shares[0].password, codes }));
`,
      );
      const { stdout } = await run('node', ['try.js'], { cwd: consumer, env, timeout: 60_000 });
      const { best, ...told } = JSON.parse(stdout);
      expect(told).toEqual({ status: 200, password: true, codes: 'RATE_LIMITED' });
      expect(best).toBeLessThan(500);
      const help = await run('npx', ['cubby', 'sandbox', '--help'], { cwd: consumer, env, timeout: 30_000 });
      expect(help.stdout).toContain('--control-port');
    }, 300_000);

    it('starts a server for a project that depends on it, by npx cubby', async () => {
      const consumer = join(folder, 'consumer');
      const doors = Object.fromEntries(['API', 'FILES', 'PUBLIC', 'S3'].map((door) => [`CUBBY_${door}_PORT`, '0']));
      // The program that npx runs. npx itself passes no signal on.
      const started = spawn(join(consumer, 'node_modules/.bin/cubby'), {
        cwd: consumer,
        env: { ...env, ...doors, CUBBY_DATA_DIR: join(consumer, 'data') },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let told = '';
      started.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
      await expect.poll(() => told, { timeout: 60_000 }).toContain('here is your first account');
      const [, address] = /"(http:\/\/localhost:\d+)\/v1/.exec(told)!;
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
      expect(await (await fetch(`${address}/docs/`)).text()).toContain('Cubby');
      started.kill('SIGTERM');
      await once(started, 'exit');
      await expect
        .poll(() =>
          fetch(address!).then(
            () => 'there',
            () => 'gone',
          ),
        )
        .toBe('gone');
      const account = await run('npx', ['cubby', 'account', 'list'], {
        cwd: consumer,
        env: { ...env, CUBBY_DATA_DIR: join(consumer, 'data') },
      });
      expect(account.stdout).toContain('pro');
    });

    it('says that npm run mock needs development dependencies', async () => {
      const failed = await run('npm', ['run', '-s', 'mock'], { cwd: cubby, env, timeout: 20_000 }).then(
        () => expect.unreachable(),
        (error: { code: number; stderr: string }) => error,
      );
      expect([failed.code, failed.stderr]).toEqual([
        1,
        expect.stringMatching(/^npm run mock needs development dependencies, .* Run npm ci without --omit=dev\.\n$/),
      ]);
    });

    it('runs the sandbox', async () => {
      const sandbox = spawn('npm', ['run', '-s', 'sandbox'], {
        cwd: cubby,
        env: {
          ...env,
          CUBBY_API_PORT: '0',
          CUBBY_FILES_PORT: '0',
          CUBBY_PUBLIC_PORT: '0',
          CUBBY_S3_PORT: '0',
          CUBBY_OPERATOR_PORT: '0',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let told = '';
      sandbox.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
      while (sandbox.exitCode === null && !told.includes('Ctrl+C stops it.')) await sleep(50);
      const [, demo] = /^Upload from a page: (\S+)$/m.exec(told)!;
      expect((await fetch(demo!)).status).toBe(200);
      sandbox.kill('SIGTERM');
      await once(sandbox, 'exit');
    });

    it('refuses to make a package with a plain site', async () => {
      const failed = await run('npm', ['pack', '--dry-run'], { cwd: cubby, env, timeout: 60_000 }).then(
        () => expect.unreachable(),
        (error: { code: number; stderr: string }) => error,
      );
      expect([failed.code, failed.stderr]).toEqual([
        1,
        expect.stringContaining('Run npm ci without --omit=dev, then npm pack again.'),
      ]);
    });

    it('makes the possible parts of a missing site, as in a clone', async () => {
      await rm(join(cubby, 'dist'), { recursive: true });
      const { stdout } = await run('npm', ['run', '-s', 'docs'], { cwd: cubby, env });
      expect(stdout).toContain('The development dependencies are not installed');
      for (const [path, words] of [
        ['/docs/', 'First upload from a page'],
        ['/docs/reference', 'POST /v1/objects'],
        ['/docs/operating', 'Running Cubby'],
        ['/docs/errors/INVALID_BODY', '400'],
        ['/docs/modules/uploader/index.js', 'export'],
        ['/docs/upload-demo', '<cubby-upload'],
      ]) {
        const response = await fetch(`${api}${path}`);
        expect([response.status, await response.text()], path).toEqual([200, expect.stringContaining(words!)]);
      }
    });
  },
);
