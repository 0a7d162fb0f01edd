import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { importsOf } from './imports.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

it('the package has all that users of the client, uploader and server need, but no tests or benchmarks', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  const paths: string[] = JSON.parse(stdout)[0].files.map(({ path }: { readonly path: string }) => path);
  const needed = [
    'dist/modules/client/index.js',
    'dist/modules/client/index.d.ts',
    'dist/modules/uploader/index.js',
    'dist/modules/uploader/element/element.d.ts',
    'server/main.js',
    'server/cli/main.js',
    'dist/modules/mocks/sandbox.js',
    'dist/modules/mocks/msw.d.ts',
    'dist/modules/fixtures/index.js',
    'mocks/sandbox/cubby.js',
    'mocks/sandbox/child.js',
  ];
  expect(paths).toEqual(
    expect.arrayContaining([...needed, 'openapi/build/docs.ts', 'docs/uploader.md', 'README.md', 'LICENSE']),
  );
  // Files that the documentation and the start name. `prepack` builds them.
  const shown = [
    'index.html',
    'guides.html',
    'operating.html',
    'errors.html',
    'errors/INVALID_BODY.html',
    'upload-demo.html',
    'openapi.json',
    'modules/uploader/index.js',
    'modules/uploader/element/element.js',
    'modules/client/index.js',
    'made-from.txt',
  ];
  expect(paths).toEqual(expect.arrayContaining(shown.map((name) => `dist/docs/${name}`)));
  expect(paths).toEqual(
    expect.arrayContaining(['index.html', 'cubby.svg', 'made-from.txt'].map((name) => `dist/console/${name}`)),
  );
  expect(paths).toEqual(expect.arrayContaining(['console/main.tsx', 'console/build/build.ts']));
  // The site counts as fresh only if all of its sources are there.
  expect(paths).toEqual(
    expect.arrayContaining([
      'SECURITY.md',
      'CHANGELOG.md',
      'mocks/README.md',
      'openapi/README.md',
      'uploader/demo/upload-demo.html',
    ]),
  );
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.prepack).toBe(
    'node openapi/build/docs.ts --whole && node console/build/build.ts --whole && node mocks/sandbox/bundle.ts',
  );
  expect(paths.filter((path) => /^(test|bench|\.ci|node_modules)\/|\.test\.ts$/.test(path))).toEqual([]);
});

it('an installation on Node 24 has no second Node, and at most as many packages and bytes as it had', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const locked = Object.entries(packages).filter(([path]) => path !== '');
  // npm leaves out an optional package whose engines do not fit.
  const nodes = locked.filter(([path]) => /^node_modules\/node-(linux|win)-/.test(path));
  expect(nodes.map(([, { engines }]) => engines?.node)).toEqual(['<24', '<24', '<24']);
  const installed = locked.filter(
    ([, { dev, devOptional, peer, engines }]) => !(dev ?? devOptional ?? peer) && engines?.node !== '<24',
  );
  expect(installed.length).toBeLessThanOrEqual(154);
  const folders = installed.map(([path]) => join(root, path)).filter((path) => existsSync(path));
  expect(folders.length).toBe(installed.length);
  const bytes = folders.reduce((sum, folder) => sum + bytesOf(folder), 0);
  expect(bytes).toBeLessThan(80e6);
});

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly engines?: { readonly node?: string };
}

/** Returns the bytes of a package, without the packages in it. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + bytesOf(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}

it('the code of a production install imports nothing that --omit=dev leaves out', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const seen = new Set<string>();
  const packages = new Set<string>();
  const walk = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const target of importsOf(file)) {
      if (target.startsWith('npm:')) packages.add(target.slice('npm:'.length));
      else if (/\.(ts|js|mjs)$/.test(target)) walk(target);
    }
  };
  for (const entry of [
    'server/main.js',
    'server/cli/main.js',
    'openapi/build/docs.ts',
    'openapi/build/dev-dependencies.ts',
    'console/build/inputs.ts',
    'console/build/compress.ts',
    'generated/client.js',
    'uploader/index.ts',
  ])
    walk(entry);
  expect(seen.size).toBeGreaterThan(300);
  expect([...packages].filter((name) => !(name in dependencies) && !(name in peerDependencies))).toEqual([]);
});
