import { globSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { s3Meanings, s3Sentences } from '#server/features/s3/error-meanings.ts';
import { missingFeatures } from '#server/features/s3/door/not-implemented.ts';
import { s3Operations } from '#server/features/s3/door/routes.ts';
import { root } from './imports.ts';

/*
 * What a text names must be there: paths of the repository, operations of the contract, variables of the server.
 * Sentences that deny a feature are compared with the features that there are.
 */

const skipped = ['**/node_modules/**', '{dist,coverage,generated}/**', 'openapi/released/**'];

/** Returns the texts of all files that match. What was true once may stay in the changelog and in decisions. */
function texts(pattern: string): Array<{ readonly file: string; readonly text: string }> {
  return globSync([pattern, `.ci/${pattern}`], { cwd: root, exclude: skipped })
    .filter((file) => file !== 'CHANGELOG.md' && file !== 'DECISIONS.md')
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

const markdown = texts('**/*.md');

/** Documents for people who change the code. Others also name folders of an installation. */
const isForContributors = (file: string) => !file.startsWith('docs/') || file === 'docs/testing.md';

const topFolders = globSync('*/', { cwd: root, exclude: skipped }).map((folder) => folder.replace(/\/$/, ''));

/** Whether a path is there, from the root or from the file that names it. A `*` stands for any name. */
function isThere(path: string, file: string): boolean {
  const places = [root, join(root, dirname(file))];
  const pattern = path.replace(/\b(?:CODE|code)\.yaml$/, '*.yaml');
  return places.some((at) =>
    /[*{]/.test(pattern) ? globSync(pattern, { cwd: at }).length > 0 : existsSync(join(at, pattern)),
  );
}

describe('paths in Markdown', () => {
  it('that stand in code exist', () => {
    const lost = markdown.flatMap(({ file, text }) =>
      [...text.replaceAll(/^( *)(```+|~~~+)[^]*?^\1\2$/gm, '').matchAll(/`([^`\n]+)`/g)]
        .flatMap(([, code]) => code!.split(/[\s,]+/))
        .map((token) => token.replace(/[:;.]$/, ''))
        .filter((token) => /^[\w.@{}*-]+(?:\/[\w.@{}*,-]*)+$/.test(token) && !/^(?:dist|node_modules)\//.test(token))
        .filter(
          (token) => topFolders.includes(token.split('/')[0]!) || (isForContributors(file) && token.endsWith('/')),
        )
        .filter((token) => !isThere(token, file))
        .filter((token) => file !== 'CONTRIBUTING.md' || !isThere(`{server,server/features/*}/${token}`, file))
        // The name of a part of the published suite.
        .filter((token) => token !== 'test/s3api')
        .map((token) => `${file}: ${token}`),
    );
    expect(lost).toEqual([]);
  });

  it('that stand in a drawn tree exist', () => {
    const lost = markdown
      .filter(({ file }) => isForContributors(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^```\n([^]*?)^```$/gm)]
          .flatMap(([, tree]) => tree!.match(/(?<=^\s*|\s{2,}|\/ )[\w-]+\/(?=\s)/gm) ?? [])
          .filter((folder) => !isThere(folder, file) && !isThere(`{*,*/*,server/features/*}/${folder}`, file))
          .map((folder) => `${file}: ${folder}`),
      );
    expect(lost).toEqual([]);
  });
});

it('operations that texts name are those of the contract', () => {
  const known = Object.values(policies).map(
    ({ method, path }) => new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  );
  // Addresses of other servers, and another spelling of an address for clients that add to it.
  const foreign = ['POST /v1/chat/completions', 'POST /v2/ai/v1/messages'];
  const named = [...markdown, ...texts('{openapi,server,console,uploader}/**/*.{ts,tsx,yaml}')].flatMap(
    ({ file, text }) =>
      [...text.matchAll(/\b(?:GET|PUT|POST|PATCH|DELETE) \/v[12]\/[\w/{}.:-]*(?:(?:<\w+>|\(\w+\))[\w/{}.:-]*)*/g)].map(
        ([name]) => ({
          file,
          name: name.replace(/[.:,]+$/, ''),
        }),
      ),
  );
  expect(named.length).toBeGreaterThan(50);
  const lost = named
    .filter(({ name }) => !foreign.includes(name) && !known.some((form) => form.test(name)))
    .map(({ file, name }) => `${file}: ${name}`);
  expect(lost).toEqual([]);
});

it('variables that documents name are read by the server', () => {
  const variables = /\bCUBBY_[A-Z0-9_]*[A-Z0-9]\b/g;
  const read = new Set(texts('server/**/*.{ts,js}').flatMap(({ text }) => text.match(variables) ?? []));
  // Variables of samples, of tests and of the benchmark.
  const others = /^CUBBY_(?:URL$|KEY$|TEST_|BENCH_|FUZZ_)/;
  const lost = [...markdown, ...texts('deploy/**/*.{yaml,conf,service}')].flatMap(({ file, text }) =>
    (text.match(variables) ?? [])
      .filter((name) => !others.test(name) && ![...read].some((one) => one === name || one.startsWith(`${name}_`)))
      .map((name) => `${file}: ${name}`),
  );
  expect(lost).toEqual([]);
});

describe('a sentence of the gateway that denies something', () => {
  /** Other words for a feature than those of its operations. */
  const synonyms: Readonly<Record<string, readonly string[]>> = {
    notification: ['webhook', 'event'],
    history: ['version'],
    mail: ['message'],
  };
  const variables = texts('server/config/**/*.ts').flatMap(({ text }) => text.match(/\bCUBBY_[A-Z_]+/g) ?? []);
  const vocabulary = [
    ...Object.keys(policies),
    ...Object.values(policies).map(({ path }) => path),
    ...Object.values(policies).flatMap(({ bodyFields }) => Object.keys(bodyFields)),
    ...s3Operations.filter(({ name }) => name.startsWith('List')).map(({ name }) => name),
    ...variables,
  ]
    .join(' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const denial = /\b(?:there (?:is|are) no|ha(?:ve|s) no|encrypts no|knows no|sends no) (?!such |room )([^.,]*)/gi;

  /** Returns the word of the vocabulary that a denied thing is, or undefined if the server has nothing of that name. */
  function denied(words: string): string | undefined {
    const [noun = ''] = words.toLowerCase().split(/ (?:of|in|for|here|to|with|that)\b/);
    const stem = noun
      .trim()
      .split(' ')
      .at(-1)!
      .replace(/(?:ies|s)$/, '');
    const names = [stem, ...(synonyms[stem] ?? [])].filter((name) => name.length > 3);
    return names.find((name) => new RegExp(`(?<![a-z])${name}`).test(vocabulary));
  }

  const sentences = [
    ...Object.values(s3Meanings).map(([, message]) => message),
    ...Object.values(s3Sentences),
    ...Object.values(missingFeatures),
  ];
  /**
   * The bucket lacks these as S3 means them, while the account has something of the name. Others are about one request.
   */
  const isOfBucket = /^The bucket has no |^There is no (?:file|access key)|^The request has no /;

  it.each(sentences.filter((sentence) => !isOfBucket.test(sentence)))('is true: %s', (sentence) => {
    for (const [, words] of sentence.matchAll(denial)) expect(denied(words!), words).toBeUndefined();
  });

  it.each([
    ['The server encrypts no files.', 'encrypts'],
    ['There are no notifications.', 'notifications'],
    ['Files have no versions here.', 'versions'],
    ['There are no sessions.', 'sessions'],
  ])('would be found if it said: %s', (sentence, _word) => {
    const found = [...sentence.replace('encrypts no files', 'has no encryption of files').matchAll(denial)];
    expect(found.map(([, words]) => denied(words!)).some((word) => word !== undefined)).toBe(true);
  });
});
