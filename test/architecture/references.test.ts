import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { root, sourceFiles } from './imports.ts';

const decisions = readFileSync(join(root, 'DECISIONS.md'), 'utf8');
const titles = [...decisions.matchAll(/^### (.+)$/gm)].map(([, title]) => title!);

/** The first target of a `@see`: a word, or words up to a number for an RFC. */
const references = /@see ((?:RFC [0-9]+)|[^\s,;]+)/g;

/**
 * Returns whether a reader can find the target: a standard, a page, a manual, a decision, a file, or a name of the same
 * file.
 */
function resolves(reference: string, file: string, text: string): boolean {
  if (/^RFC [0-9]+$/.test(reference) || URL.canParse(reference) || /^[a-z_]+\([1-8]\)$/.test(reference)) return true;
  // The title behind it has a test of its own.
  if (reference === 'DECISIONS') return true;
  if (/[./]/.test(reference)) return [root, dirname(join(root, file))].some((at) => existsSync(join(at, reference)));
  return text.split(new RegExp(`\\b${reference}\\b`)).length > 2;
}

const sources = sourceFiles()
  .filter((file) => !file.startsWith('generated/') && file !== 'test/architecture/references.test.ts')
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Files whose comments begin with `#`, `--` or `//`: SQL, YAML, scripts, templates, and settings of other programs. */
const others = [
  '{bench,console,deploy,docs,examples,mocks,openapi,server,test,uploader}/**/' +
    '*.{conf,go,py,service,sh,sql,toml,tpl,yaml,yml}',
  '{.,.ci}/{run,*.yaml,*.yml,.dockerignore,.gitignore}',
  'deploy/{Dockerfile,caddy/Caddyfile}',
];
const commented = globSync(others, { cwd: root, exclude: ['**/node_modules/**', 'openapi/released/**'] }).map(
  (file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }),
);
const topFolders = globSync('*/', { cwd: root, exclude: ['coverage', 'dist', 'node_modules'] }).map((folder) =>
  basename(folder),
);
const sourceEnding = /\.(?:conf|js|json|md|mjs|service|sh|sql|tpl|ts|tsx|yaml|yml)$/;

/**
 * Returns the paths in the comments of such a file: what begins with a folder of the project, or is named as a source.
 */
function pathsIn(text: string): string[] {
  const comments = [...text.matchAll(/(?:^|\s)(?:#|--|\/\/)(?!!)(.*)$/gm)].map(([, comment]) => comment!);
  return comments
    .flatMap((comment) => comment.match(/(?<![\w/.:@-])[\w.@{*-][\w.@{},*-]*(?:\/[\w.@{},*-]+)*\/?/g) ?? [])
    .map((token) => token.replace(/[.,:]+$/, ''))
    .filter((token) => (token.includes('/') && topFolders.includes(token.split('/')[0]!)) || sourceEnding.test(token));
}

const allNames = new Set([...sources, ...commented].map(({ file }) => basename(file)));

/** A name without a folder may be that of any file. */
function isThere(path: string, file: string): boolean {
  const places = [root, join(root, dirname(file))];
  if (/[*{]/.test(path)) return places.some((at) => globSync(path, { cwd: at }).length > 0);
  return places.some((at) => existsSync(join(at, path))) || allNames.has(path);
}

const documents = globSync(
  '{,.ci/,bench/,console/,deploy/,docs/,examples/,mocks/,openapi/,server/,test/,uploader/}**/*.md',
  {
    cwd: root,
    exclude: ['**/node_modules/**', '{dist,generated,coverage}/**'],
  },
).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Returns the titles of the decisions that a text refers to, and what stands in the place of one. */
function decisionsIn(text: string): string[] {
  const joined = text.replaceAll(/\s*\n\s*(?:\*|\/\/|#|--)?\s*/g, ' ');
  return [...joined.matchAll(/\bDECISIONS, (?:"([^"]*)"|(\S*))|\b(D-[0-9]{3})\b/g)].map(
    ([, title, other, number]) => (title ?? other ?? number)!,
  );
}

describe('references', () => {
  it('of comments in SQL, YAML, scripts and templates name files that there are', () => {
    const named = commented.flatMap(({ file, text }) => pathsIn(text).map((path) => ({ file, path })));
    const lost = named
      .filter(({ file, path }) => !isThere(path, file))
      // The name of a part of the published suite.
      .filter(({ path }) => path !== 'test/s3api')
      .map(({ file, path }) => `${file}: ${path}`);
    expect(lost).toEqual([]);
    for (const kind of ['.sql', '.yaml', '.conf', 'Dockerfile', '.service'])
      expect(
        named.some(({ file }) => file.endsWith(kind)),
        kind,
      ).toBe(true);
    const paths = pathsIn('a: 1 # see server/none.ts and docs/\n-- made by old.sql; server/x/*.yaml.\n{{/* no */}}');
    expect(paths).toEqual(['server/none.ts', 'docs/', 'old.sql', 'server/x/*.yaml']);
    expect(paths.filter((path) => !isThere(path, 'deploy/Dockerfile'))).toEqual([
      'server/none.ts',
      'old.sql',
      'server/x/*.yaml',
    ]);
  });

  it('of every @see have a target', () => {
    const lost = [...sources, ...commented].flatMap(({ file, text }) =>
      [...text.matchAll(references)]
        .map(([, reference]) => reference!.replace(/[.:]$/, ''))
        .filter((reference) => !resolves(reference, file, text))
        .map((reference) => `${file}: ${reference}`),
    );
    expect(lost).toEqual([]);
  });

  it('to decisions name titles that there are', () => {
    const named = [...sources, ...commented, ...documents].flatMap(({ file, text }) =>
      decisionsIn(text).map((title) => ({ file, title })),
    );
    expect(named.length).toBeGreaterThan(8);
    const lost = named.filter(({ title }) => !titles.includes(title)).map(({ file, title }) => `${file}: ${title}`);
    expect(lost).toEqual([]);
  });

  it('to decisions are found over lines of a comment, and without a title', () => {
    const text =
      '// see DECISIONS, "One\n// and two"\n/**\n * DECISIONS, "Three\n * and four". DECISIONS, that\n */ D-123';
    expect(decisionsIn(text)).toEqual(['One and two', 'Three and four', 'that', 'D-123']);
  });
});

describe('DECISIONS.md', () => {
  it('has one decision for each title, at most 60, on at most 40 KB', () => {
    expect(titles).toEqual([...new Set(titles)]);
    expect(titles.length).toBeGreaterThan(40);
    expect(titles.length).toBeLessThanOrEqual(60);
    expect(Buffer.byteLength(decisions)).toBeLessThanOrEqual(40_000);
  });
});
