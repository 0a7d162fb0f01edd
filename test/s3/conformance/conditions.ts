import { ask, etagOf, get, pathOf, put, type Case, type Expected } from './case.ts';
import { complete, create, idOf, part, small, smallEtag, type Later } from './upload-steps.ts';

const text = 'Written under a condition.';
const etag = etagOf(text);
const unquoted = etag.replaceAll('"', '');
const failed: Expected = { status: 412, code: 'PreconditionFailed' };
const missing: Expected = { status: 404, code: 'NoSuchKey' };
const remove = (key: string, headers: Readonly<Record<string, string>> = {}, expected: Expected = { status: 204 }) =>
  ask('DELETE', pathOf(key), {}, expected, { headers });

/** Begins an upload of one part, and completes it under a condition. */
function completed(headers: Readonly<Record<string, string>>, expected: Expected): Later[] {
  const begun = (answers: Parameters<Later>[0]) =>
    answers.slice(answers.findLastIndex(({ text: xml }) => xml.includes('<InitiateMultipartUploadResult')));
  return [
    () => create(),
    (answers) => part(1, small)(begun(answers)),
    (answers) => complete([[1, smallEtag]], expected, headers)(begun(answers)),
  ];
}

const partEtag = /^"[0-9a-f]{32}-1"$/;
const fine: Expected = { status: 200, texts: { ETag: [partEtag] } };

function deletion(key: string, more: string, expected: Expected) {
  return ask('POST', '/private', { delete: '' }, expected, {
    body: `<Delete><Object><Key>${key}</Key>${more}</Object></Delete>`,
  });
}

/** Writes, completions and deletions that depend on the file that is there. */
export const conditions: readonly Case[] = [
  {
    name: 'a PUT under If-Match of an ETag without quotes',
    steps: [put('a', text), put('a', 'new', { 'if-match': unquoted }), get('a', {}, { status: 200, body: 'new' })],
  },
  {
    name: 'a PUT under If-None-Match of ETags without quotes',
    steps: [
      put('a', text),
      put('a', 'new', { 'if-none-match': unquoted }, failed),
      get('a', {}, { status: 200, body: text }),
      put('a', 'new', { 'if-none-match': 'unknown' }),
      get('a', {}, { status: 200, body: 'new' }),
    ],
  },
  {
    name: 'PUTs under conditions while a file is created, deleted and created again',
    steps: [
      put('a', text, { 'if-none-match': '*' }),
      put('a', text, { 'if-none-match': '*' }, failed),
      put('a', text, { 'if-none-match': etag }, failed),
      put('a', text, { 'if-none-match': 'unknown' }),
      put('a', text, { 'if-match': etag }),
      remove('a'),
      put('a', text, { 'if-match': '*' }, missing),
      put('a', text, { 'if-match': 'unknown' }, missing),
      put('a', text, { 'if-none-match': etag }),
      put('a', text, { 'if-match': '*' }),
      put('a', text, { 'if-match': 'unknown' }, failed),
      put('a', text, { 'if-match': etag }),
    ],
  },
  {
    name: 'a completion under If-None-Match of an ETag',
    steps: [
      ...completed({ 'if-none-match': '*' }, fine),
      ...completed({ 'if-none-match': '*' }, failed),
      (answers) => complete([[1, smallEtag]], fine)([answers[3]!]),
    ],
  },
  {
    name: 'a completion under If-None-Match of the current ETag, and of another',
    steps: [
      put('m', text),
      ...completed({ 'if-none-match': etag }, failed),
      ...completed({ 'if-none-match': 'unknown' }, fine),
    ],
  },
  {
    name: 'a completion under If-Match of the current ETag, and of another',
    steps: [
      put('m', text),
      ...completed({ 'if-match': 'unknown' }, failed),
      get('m', {}, { status: 200, body: text }),
      ...completed({ 'if-match': etag }, fine),
      get('m', {}, { status: 200, body: small.toString() }),
    ],
  },
  {
    name: 'a completion under If-Match: * replaces any file, and creates none',
    steps: [...completed({ 'if-match': '*' }, missing), put('m', text), ...completed({ 'if-match': '*' }, fine)],
  },
  {
    name: 'a completion under If-Match without an existing file',
    steps: [...completed({ 'if-match': 'unknown' }, missing), ...completed({ 'if-none-match': etag }, fine)],
  },
  {
    name: 'a completion that failed leaves its upload open',
    steps: [
      create(),
      put('m', text),
      part(1, small),
      complete([[1, smallEtag]], failed, { 'if-none-match': '*' }),
      (answers) => ask('GET', pathOf('m'), { uploadId: idOf(answers) }, { status: 200, texts: { PartNumber: ['1'] } }),
    ],
  },
  {
    name: 'a DELETE under If-Match',
    steps: [
      put('a', text),
      remove('a', { 'if-match': 'unknown' }, failed),
      get('a', {}, { status: 200 }),
      remove('a', { 'if-match': etag }),
      get('a', {}, missing),
    ],
  },
  {
    name: 'a DELETE under If-Match: *',
    steps: [put('a', text), remove('a', { 'if-match': '*' }), get('a', {}, missing)],
  },
  {
    name: 'a batch deletes only a file with the right ETag',
    steps: [
      put('a', text),
      deletion('a', '<ETag>unknown</ETag>', { status: 200, texts: { Code: ['PreconditionFailed'] } }),
      get('a', {}, { status: 200 }),
      deletion('a', `<ETag>${unquoted}</ETag>`, { status: 200, texts: { Code: [], Key: ['a'] } }),
      get('a', {}, missing),
      deletion('a', '<ETag>unknown</ETag>', { status: 200 }),
    ],
  },
];
