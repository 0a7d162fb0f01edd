import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { makeClientPackage } from '#openapi/build/client-package.ts';
import { needPackages } from '#test/support/need-programs.ts';
import { placeOf } from '#test/support/packages.ts';
import { startTestServer } from '#test/support/server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const attw = join(placeOf('@arethetypeswrong/cli'), 'dist/index.js');
const program = (name: string) => join(root, 'node_modules/.bin', name);

describe('cubby-client', () => {
  let place: string;
  let folder: string;
  /** A folder below the root, so that the types of React are found, with the package installed in it. */
  let consumer: string;

  beforeAll(async () => {
    place = await makeClientPackage();
    folder = await mkdtemp(join(tmpdir(), 'cubby-client-'));
    consumer = await mkdtemp(join(root, 'dist/consumer-'));
    await mkdir(join(consumer, 'node_modules'), { recursive: true });
    await cp(place, join(consumer, 'node_modules/cubby-client'), { recursive: true });
    await cp(join(place, 'examples'), consumer, { recursive: true });
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(consumer, { recursive: true, force: true });
  });

  it('has the version of the server, no dependencies and nothing to run at installation', async () => {
    const client = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
    const server = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(client).toMatchObject({ name: 'cubby-client', version: server.version, license: 'MIT' });
    for (const name of ['dependencies', 'peerDependencies', 'scripts', 'private'])
      expect(client).not.toHaveProperty(name);
  });

  it('is clean by publint and by arethetypeswrong', async () => {
    needPackages('@arethetypeswrong/cli', 'publint');
    const { messages } = await publint({ pkgDir: place, strict: true });
    expect(messages).toEqual([]);
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: place });
    const [tarball] = await readdir(folder);
    // A package of modules alone cannot be required, and TypeScript's resolution of 2014 knows no exports.
    await run(process.execPath, [attw, join(folder, tarball!), '--profile', 'esm-only', '--format', 'ascii']);
  });

  it('is as small as its README says', async () => {
    const sizeOf = async (name: string) =>
      gzipSync(await readFile(join(place, 'dist', `${name}.js`)), { level: 9 }).length;
    const stated = [...(await readFile(join(place, 'README.md'), 'utf8')).matchAll(/\((\d+) KB/g)].map(([, kb]) =>
      Number(kb),
    );
    const [client, uploader, element] = [
      await sizeOf('client'),
      (await sizeOf('uploader')) + (await sizeOf('shared-upload-file')),
      (await sizeOf('element')) + (await sizeOf('shared-element')),
    ];
    const all = client + uploader + element;
    expect([client, uploader, element, all].map((bytes) => Math.round(bytes / 1024))).toEqual(stated);
  });

  it('has each piece of code once, in the module that the others import', async () => {
    const names = (await readdir(join(place, 'dist'))).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(
      names.map(async (name) => {
        const code = await readFile(join(place, 'dist', name), 'utf8');
        // Longer texts than a minifier or two authors would write twice.
        return new Set(code.match(/`[^`$]{25,}`/g) ?? []);
      }),
    );
    expect(texts.reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(100);
    const twice = texts.flatMap((one, at) =>
      texts.slice(at + 1).flatMap((other) => [...one].filter((text) => other.has(text))),
    );
    // The uploader's error and the element's text say the same. A module that is there twice would bring more.
    expect(twice).toEqual(['`The file cannot be read. It may have been changed, moved or removed. Choose it again.`']);
  });

  it('uploads and lists from a program in Node', async () => {
    const server = await startTestServer();
    const { credential } = await server.account();
    const file = join(consumer, 'report.pdf');
    await writeFile(file, Buffer.alloc(2000, 'x'));
    const { stdout } = await run(process.execPath, [join(consumer, 'node.mjs'), file], {
      env: { ...process.env, CUBBY_URL: server.running.urls.api, CUBBY_KEY: credential },
    });
    expect(stdout).toMatch(/^stored pub\/\d+\/report\.pdf 2000\nlisted pub\/\d+\/report\.pdf\n$/);
  });

  it('has types for React, and for programs', async () => {
    needPackages('@types/react');
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'nodenext',
      jsx: 'react-jsx',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    };
    const right = `import { listObjects } from 'cubby-client';
const { objects } = (await listObjects()).data!.response;
export const ids = objects.map(({ id }) => id satisfies string);
`;
    await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
    await writeFile(join(consumer, 'right.ts'), right);
    const check = async (files: readonly string[]) => {
      await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      return run(program('tsc'), ['-p', consumer]).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      );
    };
    expect(await check(['react.tsx', 'right.ts'])).toBe('');
    await writeFile(join(consumer, 'wrong.ts'), right.replace('satisfies string', 'satisfies number'));
    expect(await check(['wrong.ts'])).toContain('wrong.ts');
  });
});
