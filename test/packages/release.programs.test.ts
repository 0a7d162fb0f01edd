import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it, onTestFinished } from 'vitest';

import { changedFiles, describe as describeRelease, isAfter } from '../../.ci/release.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

const texts: Readonly<Record<string, string>> = {
  'package.json': '{\n  "name": "cubby-server",\n  "version": "0.1.0",\n  "x": { "version": "9.9.9" }\n}\n',
  'package-lock.json': '{"version":"0.1.0","packages":{"":{"version":"0.1.0"},"node_modules/a":{"version":"3.0.0"}}}',
  'deploy/helm/Chart.yaml': 'name: cubby\nversion: 0.1.0\nappVersion: 0.1.0\n',
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- Something was wrong. It is right.\n',
};

describe('changedFiles()', () => {
  it('writes the version everywhere, and a heading under which the new entries are', () => {
    const changed = Object.fromEntries(changedFiles('1.2.0', '2026-12-01', (path) => texts[path]!));
    expect(changed['package.json']).toBe(texts['package.json']!.replace('0.1.0', '1.2.0'));
    expect(JSON.parse(changed['package-lock.json']!)).toEqual({
      version: '1.2.0',
      packages: { '': { version: '1.2.0' }, 'node_modules/a': { version: '3.0.0' } },
    });
    expect(changed['deploy/helm/Chart.yaml']).toBe('name: cubby\nversion: 1.2.0\nappVersion: 1.2.0\n');
    expect(changed['CHANGELOG.md']).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-12-01)\n\n- Something was wrong. It is right.\n',
    );
  });

  it('throws if a file has lost its form, and works on the real files', async () => {
    expect(() => changedFiles('1.2.0', '2026-12-01', (path) => (path === 'CHANGELOG.md' ? '' : texts[path]!))).toThrow(
      /CHANGELOG\.md has no/,
    );
    const real = new Map(
      await Promise.all(
        Object.keys(texts).map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
      ),
    );
    expect(changedFiles('1.2.0', '2026-12-01', (path) => real.get(path)!).size).toBe(4);
  });
});

it('isAfter() knows the order of versions', () => {
  const inOrder =
    '0.9.9 1.0.0-0 1.0.0-9 1.0.0-alpha 1.0.0-beta 1.0.0-beta.9 1.0.0-beta.10 1.0.0-rc.1 1.0.0 1.0.10 1.2.0';
  const versions = inOrder.split(' ');
  for (const [at, one] of versions.entries())
    for (const [index, other] of versions.entries())
      expect([one, other, isAfter(one, other)]).toEqual([one, other, at > index]);
});

describe('npm run release', () => {
  // A release runs this test after it has changed the version.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const already = `The version is ${version} already`;
  it.each([
    [[], 'Call it as'],
    [['1.2'], '"1.2" is no version'],
    [['0.0.9'], already],
    [[version], already],
    [[`${version.split('-', 1)[0]}-0`], already],
  ])('refuses %j with words, before it changes anything', async (args, words) => {
    const failed = await run(process.execPath, [join(root, '.ci/release.ts'), ...args, '--dry-run']).then(
      () => expect.unreachable(),
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(words);
  });
});

it('the files of a release are described: dependencies, checksums and where they come from', async () => {
  const place = await mkdtemp(join(tmpdir(), 'cubby-release-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  describeRelease('1.2.0', '2026-12-01T00:00:00.000Z', place);
  const names = ['SHA256SUMS', 'cubby-server-1.2.0.cdx.json', 'cubby-server-1.2.0.provenance.json'];
  expect((await readdir(place)).toSorted()).toEqual(names);
  const read = (name: string) => readFile(join(place, name), 'utf8');
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await read(name))
      .digest('hex');
  expect(await read('SHA256SUMS')).toBe(
    (await Promise.all(names.slice(1).map(async (name) => `${await hash(name)}  ${name}\n`))).join(''),
  );
  const { bomFormat, components, metadata } = JSON.parse(await read('cubby-server-1.2.0.cdx.json'));
  const listed = components.map(({ name }: { name: string }) => name);
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect({ bomFormat, ...metadata.component }).toMatchObject({
    bomFormat: 'CycloneDX',
    name: 'cubby-server',
    type: 'application',
  });
  expect(listed).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  for (const name of ['vitest', 'typescript', 'msw', 'publint']) expect(listed).not.toContain(name);
  const { subject, predicate } = JSON.parse(await read('cubby-server-1.2.0.provenance.json'));
  expect(subject).toEqual([{ name: names[1], digest: { sha256: await hash(names[1]!) } }]);
  const { buildType, resolvedDependencies } = predicate.buildDefinition;
  expect(resolvedDependencies[0].digest.gitCommit).toMatch(/^[0-9a-f]{40}$/);
  // URIs by the specification. A dependency may have a name in the place of one.
  for (const uri of [buildType, predicate.runDetails.builder.id]) expect(uri).toMatch(/^pkg:npm\/cubby-server#/);
  for (const dependency of resolvedDependencies) expect(dependency).not.toHaveProperty('uri');
});
