import { listed, type Case, type Expected, type Step } from './case.ts';

interface Listing {
  readonly name: string;
  readonly keys: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly shows: readonly string[];
  readonly folders?: readonly string[];
  readonly texts?: NonNullable<Expected['texts']>;
}

const plain = ['asdf', 'boo', 'boo/bar', 'boo/baz/xyzzy', 'cquux/thud', 'cquux/bla'];
const letters = ['a', 'b', 'c', 'd', 'e'];
const nested = ['a', 'b/1', 'b/2/x', 'c/1', 'c/2'];

/** Cases of both versions of the list. */
const both: readonly Listing[] = [
  {
    name: 'all keys of a bucket, in byte order',
    keys: ['b', 'a', 'Z', 'é', 'z', 'ｚ', '𝒜', 'a/b', 'a-b', 'a0'],
    query: {},
    shows: ['Z', 'a', 'a-b', 'a/b', 'a0', 'b', 'z', 'é', 'ｚ', '𝒜'],
  },
  { name: 'an empty bucket', keys: [], query: {}, shows: [], texts: { IsTruncated: ['false'], Name: ['private'] } },
  {
    name: 'a delimiter makes folders of the text before it',
    keys: plain,
    query: { delimiter: '/' },
    shows: ['asdf', 'boo'],
    folders: ['boo/', 'cquux/'],
  },
  {
    name: 'a prefix and a delimiter show one folder',
    keys: plain,
    query: { delimiter: '/', prefix: 'boo/' },
    shows: ['boo/bar'],
    folders: ['boo/baz/'],
  },
  {
    name: 'a prefix that is a key and the beginning of a folder',
    keys: plain,
    query: { delimiter: '/', prefix: 'boo' },
    shows: ['boo'],
    folders: ['boo/'],
  },
  { name: 'a prefix within a name', keys: plain, query: { prefix: 'cq' }, shows: ['cquux/bla', 'cquux/thud'] },
  { name: 'a prefix of no key', keys: plain, query: { prefix: 'nothing' }, shows: [] },
  { name: 'an empty prefix is ignored', keys: letters, query: { prefix: '' }, shows: letters },
  { name: 'an empty delimiter is ignored', keys: plain, query: { delimiter: '' }, shows: plain.toSorted() },
  { name: 'a delimiter that no key has', keys: letters, query: { delimiter: '/' }, shows: letters },
  {
    name: 'a letter as delimiter',
    keys: ['bar', 'baz', 'cab', 'foo'],
    query: { delimiter: 'a' },
    shows: ['foo'],
    folders: ['ba', 'ca'],
  },
  {
    name: 'a percent sign as delimiter',
    keys: ['b%ar', 'b%az', 'c%ab', 'foo'],
    query: { delimiter: '%' },
    shows: ['foo'],
    folders: ['b%', 'c%'],
  },
  {
    name: 'a space as delimiter',
    keys: ['b ar', 'b az', 'c ab', 'foo'],
    query: { delimiter: ' ' },
    shows: ['foo'],
    folders: ['b ', 'c '],
  },
  {
    name: 'a delimiter of several characters',
    keys: ['a::b', 'a::c', 'a:d', 'e'],
    query: { delimiter: '::' },
    shows: ['a:d', 'e'],
    folders: ['a::'],
  },
  {
    name: 'a dot as delimiter',
    keys: ['b.ar', 'b.az', 'c.ab', 'foo'],
    query: { delimiter: '.' },
    shows: ['foo'],
    folders: ['b.', 'c.'],
  },
  {
    name: 'a delimiter at the start of a key',
    keys: ['/a', '/b', 'c'],
    query: { delimiter: '/' },
    shows: ['c'],
    folders: ['/'],
  },
  {
    name: 'two delimiters in a row make a folder without a name',
    keys: ['a//b', 'a/c'],
    query: { delimiter: '/', prefix: 'a/' },
    shows: ['a/c'],
    folders: ['a//'],
  },
  {
    name: 'a folder marker is a key of its own folder',
    keys: ['dir/', 'dir/a'],
    query: { delimiter: '/', prefix: 'dir/' },
    shows: ['dir/', 'dir/a'],
  },
  {
    name: 'a folder marker and its files are one folder in the list above',
    keys: ['dir/', 'dir/a'],
    query: { delimiter: '/' },
    shows: [],
    folders: ['dir/'],
  },
  {
    name: 'max-keys equal to the number of keys',
    keys: letters,
    query: { 'max-keys': '5' },
    shows: letters,
    texts: { IsTruncated: ['false'], MaxKeys: ['5'] },
  },
  {
    name: 'max-keys of one',
    keys: letters,
    query: { 'max-keys': '1' },
    shows: ['a'],
    texts: { IsTruncated: ['true'] },
  },
  {
    name: 'max-keys of zero',
    keys: letters,
    query: { 'max-keys': '0' },
    shows: [],
    texts: { IsTruncated: ['false'], MaxKeys: ['0'] },
  },
  {
    name: 'max-keys over a thousand means a thousand',
    keys: letters,
    query: { 'max-keys': '5000' },
    shows: letters,
    texts: { MaxKeys: ['1000'] },
  },
  {
    name: 'folders count towards max-keys',
    keys: ['a/1', 'a/2', 'b', 'c/1'],
    query: { delimiter: '/', 'max-keys': '2' },
    shows: ['b'],
    folders: ['a/'],
    texts: { IsTruncated: ['true'] },
  },
  {
    name: 'a last folder with many keys ends the list',
    keys: ['a', 'b/1', 'b/2', 'b/3'],
    query: { delimiter: '/', 'max-keys': '2' },
    shows: ['a'],
    folders: ['b/'],
    texts: { IsTruncated: ['false'] },
  },
  { name: 'keys with characters of XML', keys: ['<a>&"\'', 'b]]>'], query: {}, shows: ['<a>&"\'', 'b]]>'] },
  {
    name: 'keys in url encoding',
    keys: ['a b', 'a+b', 'ä', 'x/y'],
    query: { 'encoding-type': 'url' },
    shows: ['a%20b', 'a%2Bb', 'x/y', '%C3%A4'],
    texts: { EncodingType: ['url'] },
  },
  {
    name: 'folders and the prefix in url encoding',
    keys: ['a b/1', 'a b/c d/2'],
    query: { 'encoding-type': 'url', prefix: 'a b/', delimiter: '/' },
    shows: ['a%20b/1'],
    folders: ['a%20b/c%20d/'],
  },
  {
    name: 'a prefix with a special character of SQL or patterns',
    keys: ['a%b', 'a_b', 'a*b', 'axb'],
    query: { prefix: 'a_' },
    shows: ['a_b'],
  },
  { name: 'a delimiter that cannot be printed', keys: letters, query: { delimiter: '\n' }, shows: letters },
  { name: 'a prefix that cannot be printed', keys: letters, query: { prefix: '\n' }, shows: [] },
  {
    name: 'a prefix and a letter as delimiter',
    keys: ['sea', 'sealed', 'searing', 'tea'],
    query: { prefix: 'sea', delimiter: 'l' },
    shows: ['sea', 'searing'],
    folders: ['seal'],
  },
  {
    name: 'a prefix of no key, and a delimiter',
    keys: plain,
    query: { prefix: 'nothing', delimiter: '/' },
    shows: [],
  },
  {
    name: 'a prefix, and a delimiter that no key has',
    keys: plain,
    query: { prefix: 'boo', delimiter: ';' },
    shows: ['boo', 'boo/bar', 'boo/baz/xyzzy'],
  },
  {
    name: 'a prefix and a delimiter of no key',
    keys: plain,
    query: { prefix: 'nothing', delimiter: ';' },
    shows: [],
  },
  {
    name: 'without max-keys a page is a thousand',
    keys: letters,
    query: {},
    shows: letters,
    texts: { MaxKeys: ['1000'], IsTruncated: ['false'] },
  },
  {
    name: 'a folder of more keys than a page, between keys with the same start',
    keys: ['0/', ...Array.from('abcdefghijkl', (letter) => `0/${letter}`), '0+', '00', '1'],
    query: { delimiter: '/', 'max-keys': '4' },
    shows: ['0+', '00', '1'],
    folders: ['0/'],
    texts: { IsTruncated: ['false'] },
  },
  { name: 'a prefix is case-sensitive', keys: ['Aa', 'aa'], query: { prefix: 'A' }, shows: ['Aa'] },
];

/** Cases of version 1: markers. */
const first: readonly Listing[] = [
  {
    name: 'a marker that is a key begins after it',
    keys: letters,
    query: { marker: 'b' },
    shows: ['c', 'd', 'e'],
    texts: { Marker: ['b'] },
  },
  { name: 'a marker between two keys', keys: letters, query: { marker: 'bb' }, shows: ['c', 'd', 'e'] },
  { name: 'a marker after all keys', keys: letters, query: { marker: 'zzz' }, shows: [] },
  {
    name: 'a marker before the prefix',
    keys: plain,
    query: { marker: 'a', prefix: 'boo/' },
    shows: ['boo/bar', 'boo/baz/xyzzy'],
  },
  {
    name: 'a marker that is a folder begins after the folder',
    keys: plain,
    query: { marker: 'boo/', delimiter: '/' },
    shows: [],
    folders: ['cquux/'],
  },
  {
    name: 'a marker within a folder goes on after that key',
    keys: ['a/1', 'a/2', 'b'],
    query: { marker: 'a/1' },
    shows: ['a/2', 'b'],
  },
  {
    name: 'the next marker comes only with a delimiter',
    keys: letters,
    query: { 'max-keys': '2' },
    shows: ['a', 'b'],
    texts: { IsTruncated: ['true'], NextMarker: [] },
  },
  {
    name: 'the next marker is the last of keys and folders',
    keys: ['a', 'b/1', 'c'],
    query: { 'max-keys': '2', delimiter: '/' },
    shows: ['a'],
    folders: ['b/'],
    texts: { NextMarker: ['b/'] },
  },
  {
    name: 'the next marker in url encoding',
    keys: ['f  0', 'f +15', 'f z'],
    query: { 'max-keys': '2', delimiter: '/', 'encoding-type': 'url' },
    shows: ['f%20%200', 'f%20%2B15'],
    texts: { NextMarker: ['f%20%2B15'] },
  },
  {
    name: 'the marker in url encoding',
    keys: ['f  0', 'f +15', 'f z'],
    query: { marker: 'f +15', 'encoding-type': 'url' },
    shows: ['f%20z'],
    texts: { Marker: ['f%20%2B15'] },
  },
  {
    name: 'a marker that cannot be printed',
    keys: letters,
    query: { marker: '\n' },
    shows: letters,
    texts: { Marker: ['\n'], IsTruncated: ['false'] },
  },
  {
    name: 'a missing marker is shown as an empty one',
    keys: letters,
    query: {},
    shows: letters,
    texts: { Marker: [''] },
  },
  {
    name: 'an empty marker',
    keys: letters,
    query: { marker: '' },
    shows: letters,
    texts: { Marker: [''], IsTruncated: ['false'] },
  },
  { name: 'the owner is shown for each key', keys: ['a'], query: {}, shows: ['a'], texts: { ID: [/.+/] } },
];

/** Cases of version 2: start-after, continuation, owners on demand. */
const second: readonly Listing[] = [
  {
    name: 'start-after a key',
    keys: letters,
    query: { 'start-after': 'b' },
    shows: ['c', 'd', 'e'],
    texts: { StartAfter: ['b'] },
  },
  { name: 'start-after between two keys', keys: letters, query: { 'start-after': 'bb' }, shows: ['c', 'd', 'e'] },
  {
    name: 'start-after all keys',
    keys: letters,
    query: { 'start-after': 'zzz' },
    shows: [],
    texts: { KeyCount: ['0'] },
  },
  {
    name: 'start-after in url encoding',
    keys: ['f  0', 'f +15', 'f z'],
    query: { 'start-after': 'f +15', 'encoding-type': 'url' },
    shows: ['f%20z'],
    texts: { StartAfter: ['f%20%2B15'] },
  },
  {
    name: 'the count of keys and folders',
    keys: plain,
    query: { delimiter: '/' },
    shows: ['asdf', 'boo'],
    folders: ['boo/', 'cquux/'],
    texts: { KeyCount: ['4'] },
  },
  { name: 'no owner is shown by default', keys: ['a'], query: {}, shows: ['a'], texts: { ID: [] } },
  {
    name: 'no owner is shown with fetch-owner=false',
    keys: ['a'],
    query: { 'fetch-owner': 'false' },
    shows: ['a'],
    texts: { ID: [] },
  },
  {
    name: 'the owner is shown with fetch-owner=true',
    keys: ['a'],
    query: { 'fetch-owner': 'true' },
    shows: ['a'],
    texts: { ID: [/.+/] },
  },
  {
    name: 'a token overrides start-after',
    keys: letters,
    query: { 'continuation-token': `b${Buffer.from('c').toString('base64url')}`, 'start-after': 'a' },
    shows: ['d', 'e'],
    texts: { StartAfter: ['a'] },
  },
  {
    name: 'an empty token is ignored',
    keys: letters,
    query: { 'continuation-token': '', 'max-keys': '5' },
    shows: letters,
    texts: { ContinuationToken: [''], IsTruncated: ['false'] },
  },
  {
    name: 'a prefix, a delimiter and a start that cannot be printed',
    keys: letters,
    query: { prefix: '', delimiter: '\n', 'start-after': '\n' },
    shows: letters,
    texts: { StartAfter: ['\n'], Delimiter: ['\n'] },
  },
  {
    name: 'no next token on the last page',
    keys: letters,
    query: {},
    shows: letters,
    texts: { NextContinuationToken: [] },
  },
];

function caseOf(version: 1 | 2, { name, keys, query, shows, folders = [], texts = {} }: Listing): Case {
  const asked = version === 2 ? { 'list-type': '2', ...query } : query;
  const prefix =
    query['encoding-type'] === 'url'
      ? encodeURIComponent(query.prefix ?? '').replaceAll('%2F', '/')
      : (query.prefix ?? '');
  const expected = Object.entries({
    Key: shows,
    Prefix: [prefix, ...folders],
    Delimiter: query.delimiter ? [query.delimiter] : [],
    ...texts,
  });
  return {
    name: `list version ${version}: ${name}`,
    keys,
    steps: [
      listed(asked, {
        status: 200,
        texts: Object.fromEntries(expected.map(([tag, of]) => [tag, of.map(spaceEither)])),
      }),
    ],
  };
}

/** Accepts `%20` and `+` for a space in url encoding. S3 and other servers differ, and clients read both. */
function spaceEither(text: string | RegExp): string | RegExp {
  if (typeof text !== 'string' || !text.includes('%20')) return text;
  const parts = text.split('%20').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(?:%20|\\+)')}$`);
}

/** All pages together must be the whole list, in both versions and with both encodings. */
function paged(
  name: string,
  query: Readonly<Record<string, string>>,
  keys: readonly string[],
  pages: ReadonlyArray<{ readonly shows: readonly string[]; readonly folders?: readonly string[] }>,
): Case[] {
  const raw = (text: string) =>
    query['encoding-type'] === 'url' ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
  return ([1, 2] as const).map((version) => ({
    name: `list version ${version}: ${name}, page after page`,
    keys,
    steps: [
      ...pages.map(
        ({ shows, folders = [] }, page) =>
          (answers: Parameters<Exclude<Case['steps'][number], Step>>[0]) => {
            const before = page === 0 ? '' : answers.at(-1)!.text;
            const tag = version === 2 ? 'NextContinuationToken' : 'NextMarker';
            const found =
              new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(before)?.[1] ?? /.*<Key>([^<]*)<\/Key>/s.exec(before)?.[1];
            const next =
              version === 2
                ? { 'list-type': '2', ...(page > 0 && { 'continuation-token': found ?? '' }) }
                : page > 0
                  ? { marker: raw(found ?? '') }
                  : {};
            const isTruncated = page < pages.length - 1 ? 'true' : 'false';
            const token = version === 2 && {
              ContinuationToken: page > 0 ? [found ?? ''] : [],
              NextContinuationToken: isTruncated === 'true' ? [/.+/] : [],
            };
            return listed(
              { ...query, ...next },
              {
                status: 200,
                texts: {
                  Key: shows.map(spaceEither),
                  IsTruncated: [isTruncated],
                  Prefix: [query.prefix ?? '', ...folders],
                  ...token,
                },
              },
            );
          },
      ),
    ],
  }));
}

export const lists: readonly Case[] = [
  ...([1, 2] as const).flatMap((version) => both.map((listing) => caseOf(version, listing))),
  ...first.map((listing) => caseOf(1, listing)),
  ...second.map((listing) => caseOf(2, listing)),
  ...paged('keys', { 'max-keys': '2' }, letters, [{ shows: ['a', 'b'] }, { shows: ['c', 'd'] }, { shows: ['e'] }]),
  ...paged(
    'keys and folders',
    { 'max-keys': '2', delimiter: '/' },
    ['a', 'b/1', 'b/2', 'c/1', 'c/2', 'd'],
    [
      { shows: ['a'], folders: ['b/'] },
      { shows: ['d'], folders: ['c/'] },
    ],
  ),
  ...paged(
    'keys in url encoding',
    { 'max-keys': '2', 'encoding-type': 'url' },
    ['f 1', 'f +15', 'f +16', 'f&'],
    [{ shows: ['f%20%2B15', 'f%20%2B16'] }, { shows: ['f%201', 'f%26'] }],
  ),
  ...paged('keys and folders one by one', { 'max-keys': '1', delimiter: '/' }, nested, [
    { shows: ['a'] },
    { shows: [], folders: ['b/'] },
    { shows: [], folders: ['c/'] },
  ]),
  ...paged('the content of a folder, one by one', { 'max-keys': '1', delimiter: '/', prefix: 'b/' }, nested, [
    { shows: ['b/1'] },
    { shows: [], folders: ['b/2/'] },
  ]),
  ...paged(
    'names that begin with an underscore',
    { 'max-keys': '1', delimiter: '/' },
    nested.map((key) => `_${key}`),
    [{ shows: ['_a'] }, { shows: [], folders: ['_b/'] }, { shows: [], folders: ['_c/'] }],
  ),
];
