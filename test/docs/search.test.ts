import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import SiteSearch from '#openapi/site/search/search.ts';
import { sectionsOf } from '#openapi/site/search/sections.ts';
import { distance } from '#openapi/site/search/spelling.ts';
import { synonyms } from '#openapi/site/search/synonyms.ts';
import { questions } from './search-questions.ts';

const root = join(import.meta.dirname, '../..');

/** So many bytes had the index when it had neither samples nor names of variables, and 400 KB more. */
const mostBytes = 1_196_826 + 400_000;

/** The index of the site that was built before all tests. */
let json: string;
let search: SiteSearch;
beforeAll(async () => {
  const [name] = globSync('assets/chunks/*localSearchIndexroot*.js', { cwd: join(root, 'dist/docs') });
  json = (await import(pathToFileURL(join(root, 'dist/docs', name!)).href)).default;
  search = SiteSearch.loadJSON(json);
});

const pageOf = (id: string) => id.replace(/#.*/, '');
const firstPages = (typed: string) =>
  search
    .search(typed)
    .slice(0, 3)
    .map(({ id }) => pageOf(id));

describe('the search of the documentation', () => {
  it('has sixty questions and more, each of which fits into the box and is answered by a page of the site', () => {
    const pages = new Set(
      globSync('**/*.html', { cwd: join(root, 'dist/docs') }).map((path) => `/${path.slice(0, -5)}`),
    );
    expect(new Set(questions.map(([typed]) => typed)).size).toBe(questions.length);
    // A feature that is taken out takes its own along.
    expect(questions.length).toBeGreaterThanOrEqual(60);
    for (const [typed, ...answers] of questions) {
      expect(typed.length).toBeLessThanOrEqual(64);
      expect(answers.filter((page) => !pages.has(page))).toEqual([]);
    }
  });

  it.each(questions)('shows a page that answers "%s" among the first three', (typed, ...answers) => {
    const shown = firstPages(typed);
    expect(
      shown.filter((page) => answers.includes(page)),
      `found ${shown.join(', ')}`,
    ).not.toEqual([]);
  });

  it('shows the page of each error code first', () => {
    const codes = Object.values(errors).flatMap((table) => Object.keys(table));
    const long = [...new Set(codes.filter((code) => /^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(code)))];
    expect(long.length).toBeGreaterThan(100);
    expect(long.filter((code) => firstPages(code)[0] !== `/errors/${code}`)).toEqual([]);
  });

  it('finds every variable of the configuration', async () => {
    for (const path of ['operating/configuration', 'ai/settings']) {
      const text = await readFile(join(root, `docs/${path}.md`), 'utf8');
      const names = [...text.matchAll(/^- `(CUBBY_\w+)`/gm)].map(([, name]) => name!);
      expect(names.length).toBeGreaterThan(15);
      expect(names.filter((name) => name !== 'CUBBY_AI' && !firstPages(name).includes(`/${path}`))).toEqual([]);
    }
  });

  it.each([
    ['next.js', 'nextjs'],
    ['nextjs upload', 'nextjs'],
    ['nuxt', 'nuxt'],
    ['sveltekit', 'sveltekit'],
    ['react router', 'react-router'],
    ['remix', 'react-router'],
    ['astro', 'astro'],
    ['express', 'express'],
    ['fastify upload', 'fastify'],
    ['django', 'django'],
    ['django-storages', 'django'],
    ['rails active storage', 'rails'],
    ['laravel', 'laravel'],
  ])('finds the page of a framework for "%s"', (typed, name) => {
    expect(firstPages(typed)).toContain(`/start/frameworks/${name}`);
  });

  it('finds what only a sample has', () => {
    expect(firstPages('generate_presigned_url')).toContain('/s3');
    expect(firstPages('proxy_request_buffering')).toContain('/operating/proxy');
  });

  it.each([
    ['pasword', '/shares'],
    ['kuberentes', '/installing'],
    ['thumnail', '/images'],
    ['multipat', '/chunked-uploads'],
  ])('forgives "%s"', (typed, page) => {
    expect(firstPages(typed)).toContain(page);
  });

  it('shows one section of a page before a second one, with its titles and the words to mark', () => {
    const found = search.search('CUBBY_TRUSTED_PROXIES');
    const pages = found.slice(0, 5).map(({ id }) => pageOf(id));
    expect(new Set(pages).size).toBe(5);
    const section = found.find(({ id }) => id.startsWith('/operating/configuration#'))!;
    expect(section).toMatchObject({ title: 'Addresses and ports', titles: ['Configuration'] });
    expect(Object.keys(section.match)).toEqual(['CUBBY_TRUSTED_PROXIES']);
  });

  it('says nothing where there is nothing', () => {
    expect(search.search('')).toEqual([]);
    expect(search.search('zzzzqqqqxxxx')).toEqual([]);
  });

  it('finds something for the words behind each arrow of the synonyms', () => {
    const index = MiniSearch.loadJSON(json, { fields: ['title', 'titles', 'text'] });
    const phrases = new Set(synonyms.flatMap(({ ours }) => ours));
    const lost = [...phrases].filter(
      (phrase) => index.search(phrase, { combineWith: 'AND', prefix: true }).length === 0,
    );
    expect(lost).toEqual([]);
  });

  it('has each spelling once in the synonyms', () => {
    const spellings = synonyms.flatMap(({ typed }) => typed);
    expect(spellings.filter((one, at) => spellings.indexOf(one) !== at)).toEqual([]);
  });

  it('has an index that is not much larger than one of prose alone', () => {
    expect(Buffer.byteLength(json)).toBeLessThan(mostBytes);
  });
});

it('pages that fit alike come in the order guides, frameworks, reference, error codes, history', () => {
  const index = new MiniSearch({ fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] });
  const framework = '/start/frameworks/wombat#a';
  for (const id of ['/changelog#a', '/errors/WOMBAT#wombat', '/reference/wombats#a', framework, '/wombats#a'])
    index.add({ id, title: 'Wombats', titles: ['Animals'], text: 'They dig.' });
  expect(
    SiteSearch.loadJSON(JSON.stringify(index))
      .search('wombat')
      .map(({ id }) => id),
  ).toEqual(['/wombats#a', framework, '/reference/wombats#a', '/errors/WOMBAT#wombat', '/changelog#a']);
});

it('sectionsOf() returns sections below their titles, with names as one word and without marks of code', () => {
  const head = (level: number, id: string, inner: string) =>
    `<h${level} id="${id}" tabindex="-1">${inner} <a class="header-anchor" href="#${id}" aria-label="x">&#8203;</a></h${level}>`;
  const html = `${head(1, 'top', 'A &lt;b&gt; page')}<p>First.</p>${head(3, 'deep', '<code>x</code>')}<pre>a=$B_C</pre>${head(2, 'next', 'Next')}`;
  expect(sectionsOf(html)).toEqual([
    { anchor: 'top', titles: ['A &lt;b&gt; page'], text: 'First.' },
    { anchor: 'deep', titles: ['A &lt;b&gt; page', 'x'], text: 'a B_C $bc' },
    { anchor: 'next', titles: ['A &lt;b&gt; page', 'Next'], text: '' },
  ]);
});

it('distance() counts changed, added, missing and exchanged letters', () => {
  const pairs = [
    ['word', 'word'],
    ['word', 'ward'],
    ['word', 'words'],
    ['word', 'owrd'],
    ['word', 'xxxx'],
  ] as const;
  expect(pairs.map(([from, to]) => distance(from, to, 2))).toEqual([0, 1, 1, 1, 3]);
});
