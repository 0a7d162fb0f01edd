import { ask, get, pathOf, put, type Case } from './case.ts';

const special = [' ', '"', '$', '%', '&', "'", '<', '>', '_', '_ ', '_ _', '__'];

export const oddKeys: readonly Case[] = [
  {
    name: 'keys of one character',
    steps: [
      ...special.map((key) => put(key, key)),
      ask('GET', '/private', {}, { status: 200, texts: { Key: special } }),
      ...special.map((key) => get(key, {}, { status: 200, body: key })),
    ],
  },
  {
    name: 'a key that is not UTF-8',
    steps: [ask('GET', '/private/%AE%8A-', {}, { status: 400, code: 'InvalidURI' })],
  },
  ...[
    'a b',
    'a+b',
    'a%b',
    'a//b',
    '//',
    'a/',
    '/a',
    '~a',
    'ä/ö',
    '日本',
    '𝒜',
    'a\'b"',
    '(a)!*',
    'a=b&c?d#e',
    'a:b;c,d',
    '@$',
    '{a}|^`[b]',
    'a\\b',
    'a.b.',
    '.a',
    '..a',
    'a..',
    '-ex30',
    'a-ex30.png',
    'x'.repeat(1000),
    'ä'.repeat(500),
  ].map((key) => ({
    name: `the key ${JSON.stringify(key.slice(0, 20))}`,
    steps: [
      put(key, key),
      get(key, {}, { status: 200, body: key }),
      ask('DELETE', pathOf(key), {}, { status: 204 }),
      get(key, {}, { status: 404, code: 'NoSuchKey' }),
    ],
  })),
  ...['x'.repeat(1001), 'ä'.repeat(501)].map((key) => ({
    name: `a key of ${Buffer.byteLength(key)} bytes`,
    steps: [put(key, 'x', {}, { status: 400, code: 'KeyTooLongError' })],
  })),
  ...['.', '..', 'a/../b', 'a/./b', '../a', 'a/..'].map((key) => ({
    name: `a key with a segment of dots: ${key}`,
    steps: [put(key, 'x', {}, { status: 400, code: /./ })],
  })),
  {
    name: 'a plus in a path is a plus',
    steps: [
      put('a+b', 'plus'),
      ask('GET', '/private/a+b', {}, { status: [200, 403] }),
      ask('GET', '/private/a%2Bb', {}, { status: 200, body: 'plus' }),
    ],
  },
  {
    name: 'an encoded slash is a slash of the key',
    steps: [put('a/b', 'slash'), ask('GET', '/private/a%2Fb', {}, { status: [200, 403] })],
  },
  ...['%ff', '%c3%28', '%00'].map((path) => ({
    name: `a key that is not text: ${path}`,
    steps: [ask('PUT', `/private/${path}`, {}, { status: [400, 403], code: /./ }, { body: 'x' })],
  })),
];
