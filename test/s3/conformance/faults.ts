import { ask, get, pathOf, put, withHeader, type Case, type Expected, type Step } from './case.ts';

const stored = get('a', {}, { status: 200, body: 'content' });
const nothing = get('a', {}, { status: 404, code: 'NoSuchKey' });
const bucket = (expected: Expected): Step => ask('PUT', '/private', {}, expected);
const said = (value: string | undefined) => (value === undefined ? 'no' : value === '' ? 'an empty' : `"${value}" as`);

/** A body in HTTP's own chunks, which announce no length. */
const flowing: Step = {
  ...put('a', 'content', { 'transfer-encoding': 'chunked' }),
  sent: (signed) => ({
    ...signed,
    headers: signed.headers.filter(([name]) => name !== 'content-length'),
    body: Buffer.from('3\r\ncon\r\n4\r\ntent\r\n0\r\n\r\n'),
  }),
};

/** A request that announces no body, and brings none. */
const lengthless: Step = {
  ...put('a', '', {}, { status: 411, code: 'MissingContentLength' }),
  sent: (signed) => ({ ...signed, headers: signed.headers.filter(([name]) => name !== 'content-length') }),
};

const refused: Expected = { status: 400, code: /./ };
const denied: Expected = { status: 403, code: 'AccessDenied' };

/** Headers that are empty, missing or nonsense. */
export const faults: readonly Case[] = [
  ...['', '200'].map((value) => ({
    name: `${said(value)} Expect of a PUT`,
    steps: [withHeader(put('a'), 'expect', value), stored],
  })),
  ...['', '200'].map((value) => ({
    name: `${said(value)} Expect for a bucket`,
    steps: [withHeader(bucket({ status: [200, 409] }), 'expect', value)],
  })),
  ...['', '-1'].map((value) => ({
    name: `${said(value)} Content-Length of a PUT`,
    steps: [withHeader(put('a', 'content', {}, refused), 'content-length', value), nothing],
  })),
  ...['', '-1'].map((value) => ({
    name: `${said(value)} Content-Length for a bucket`,
    steps: [withHeader(bucket(refused), 'content-length', value)],
  })),
  { name: 'no Content-Length of a PUT', steps: [lengthless, nothing] },
  {
    name: 'no Content-Length for a bucket',
    steps: [withHeader(bucket({ status: [200, 409] }), 'content-length', undefined)],
  },
  { name: 'a PUT in the chunks of HTTP', steps: [flowing, stored] },
  ...['', undefined].map((value) => ({
    name: `${said(value)} Authorization of a PUT`,
    steps: [withHeader(put('a', 'content', {}, denied), 'authorization', value), nothing],
  })),
  ...['', undefined].map((value) => ({
    name: `${said(value)} Authorization for a bucket`,
    steps: [withHeader(bucket(denied), 'authorization', value)],
  })),
  ...['', 'Bad Date', undefined].map((value) => ({
    name: `${said(value)} x-amz-date`,
    steps: [withHeader(put('a', 'content', {}, { status: 403, code: 'AccessDenied' }), 'x-amz-date', value), nothing],
  })),
  ...['1950', '2010', '9999'].map((year) => ({
    name: `a request of the year ${year}`,
    steps: [
      ask(
        'PUT',
        pathOf('a'),
        {},
        { status: 403, code: 'RequestTimeTooSkewed' },
        { body: 'content', signedAtMs: Date.parse(`${year}-07-07T21:53:04Z`) },
      ),
      nothing,
    ],
  })),
  {
    name: 'a Date in addition to x-amz-date',
    steps: [put('a', 'content', { date: new Date().toUTCString() }), stored],
  },
  { name: 'an empty Content-Type', steps: [put('a', 'content', { 'content-type': '' }), stored] },
  { name: 'an empty User-Agent', steps: [withHeader(put('a'), 'user-agent', ''), stored] },
  {
    name: 'another owner of the bucket than expected',
    steps: [
      put('a', 'content', { 'x-amz-expected-bucket-owner': '000000000000' }, denied),
      nothing,
      ask('GET', '/private', {}, denied, { headers: { 'x-amz-expected-bucket-owner': '000000000000' } }),
    ],
  },
  {
    name: 'a PUT that waits for 100 Continue, into an unknown bucket',
    steps: [
      ask(
        'PUT',
        '/other/a',
        {},
        { status: 404, code: 'NoSuchBucket' },
        { body: 'content', headers: { expect: '100-continue' } },
      ),
    ],
  },
];
