import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { importsOf } from './imports.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

it('the package has everything for users of the client, the uploader and the server, but no tests or benchmarks', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  const paths: string[] = JSON.parse(stdout)[0].files.map(({ path }: { readonly path: string }) => path);
  const needed = [
    'generated/client/index.js',
    'generated/client/index.d.ts',
    'generated/uploader/index.js',
    'generated/uploader/element/element.d.ts',
    'server/main.js',
    'server/cli/main.js',
    'generated/mocks/sandbox.js',
    'generated/mocks/msw.d.ts',
    'generated/fixtures/index.js',
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
    'node openapi/build/docs.ts --whole && node mocks/sandbox/bundle.ts',
  );
  expect(paths.filter((path) => /^(test|bench|\.ci|node_modules)\/|\.test\.ts$/.test(path))).toEqual([]);
});

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
    'generated/client/index.js',
    'generated/uploader/index.js',
  ])
    walk(entry);
  expect(seen.size).toBeGreaterThan(300);
  expect([...packages].filter((name) => !(name in dependencies) && !(name in peerDependencies))).toEqual([]);
});
