import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { packageGroups } from '#test/support/packages.ts';
import { installLines, linesIn, type InstallLine } from './install-lines.ts';

const root = join(import.meta.dirname, '../..');
const { devDependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;
const grouped: Record<string, string> = Object.assign({}, ...packageGroups.values());
const ours = /^\.\/cubby-(?:server|client)-VERSION\.tgz$/;

/** Returns what is wrong with a command, or `undefined`. */
function problemOf({ file, command }: InstallLine, text: string): string | undefined {
  const [program, ...words] = command.split(' ');
  if (program === 'npx') {
    if (words[0] === '-p')
      return ours.test(words[1] ?? '') && words[2] === 'cubby' ? undefined : 'is no package of ours';
    if (words[0] === 'cubby')
      return /npm install .*\.\/cubby-server-VERSION\.tgz|installing\.md#with-npm|runCommand/.test(text)
        ? undefined
        : `runs somebody else's "cubby", because ${file} does not say first how ours is installed`;
    return existsSync(join(root, 'node_modules/.bin', words[0]!)) ? undefined : 'is not installed with the repository';
  }
  if (program !== 'npm' || words[0] !== 'install') return 'needs something that is not in the repository';
  const packages = words.slice(1).filter((word, at, all) => !word.startsWith('-') && all[at - 1] !== '--prefix');
  const unknown = packages.filter((name) => !ours.test(name) && !isDependency(name));
  return unknown.length === 0 ? undefined : `fetches ${unknown.join(', ')}, which no test of ours uses`;
}

/**
 * A package of others that our own tests or servers use: with the same major version, or the same minor one below 1.
 */
function isDependency(spec: string): boolean {
  const [, name, wanted] = /^(@?[^@]+)(?:@(.+))?$/.exec(spec)!;
  const known = devDependencies![name!] ?? peerDependencies![name!] ?? grouped[name!];
  return known !== undefined && (wanted === undefined || known.replace(/^\^/, '').startsWith(`${wanted}.`));
}

it('no text tells its reader to fetch a package that is not ours or not there', () => {
  const lines = installLines();
  expect(lines.length).toBeGreaterThan(20);
  const problems = lines
    .map((line) => ({ ...line, problem: problemOf(line, readFileSync(join(root, line.file), 'utf8')) }))
    .filter(({ problem }) => problem !== undefined);
  expect(problems).toEqual([]);
});

it('finds commands in blocks, in prose, in comments and over several lines', () => {
  const text =
    'Run `npx cubby`, or npm install a.\n' +
    '```sh\nnpm install --no-save b \\\n  c   # or yarn add d\n```\n// "pnpm add e"';
  const found = linesIn('x.md', text);
  expect(found.map(({ command }) => command)).toEqual([
    'npx cubby',
    'npm install a',
    'npm install --no-save b c',
    'yarn add d',
    'pnpm add e',
  ]);
  const problems = found.map((line) => problemOf(line, text) !== undefined);
  expect(problems).toEqual([true, true, true, true, true]);
});

it('no text names a published package, image or chart of ours', () => {
  const texts = [
    'README.md',
    'docs/installing.md',
    'docs/scaling.md',
    'uploader/package/README.md',
    'deploy/README.md',
  ];
  for (const file of texts)
    expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(
      /npmjs\.com|unpkg|jsdelivr|esm\.sh|ghcr\.io|docker\.io|helm repo|docker pull|npm publish/,
    );
});
