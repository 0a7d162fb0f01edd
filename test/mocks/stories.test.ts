import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { OperationId } from '#generated/policies.ts';
import { startMock, type Mock } from '#mocks/mock.ts';
import { preferencesOf, UnmetPreference } from '#mocks/mock/preferences.ts';
import { stories, type Story } from '#mocks/mock/stories.ts';
import { sampleRequest } from '#openapi/build/sample-request.ts';
import { operationsOf } from '#openapi/codegen/document.ts';
import { checkAnswer, contract } from '#test/support/contract.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

const key = { Authorization: 'any' };

function form(size = 600): FormData {
  const parts = new FormData();
  parts.append('file', new Blob(['x'.repeat(size)]), 'april.pdf');
  return parts;
}

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** Sends the sample request of an operation. */
async function ask(id: OperationId, headers: Record<string, string> = {}, query = ''): Promise<Got> {
  const operation = operationsOf(contract).find((one) => one.id === id)!;
  const { method, target, body } = sampleRequest(contract, operation, ['name']);
  const path = query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
  const response = await fetch(mock.url + path, {
    method,
    headers: { ...key, ...headers },
    ...(body && { body: body.type === 'multipart/form-data' ? form() : JSON.stringify(body.value) }),
  });
  const text = await response.text();
  const answer = {
    method,
    path: new URL(mock.url + path).pathname,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(text),
    door: operation.door,
  };
  if (response.headers.get('content-type') !== 'application/problem+json') expect(checkAnswer(answer), id).toEqual([]);
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

const table: Readonly<Record<string, Story>> = stories;

describe('the stories of the mock', () => {
  it.each(Object.entries(table))('every response of %s is one of the contract', async (name, { scenes }) => {
    for (const [index, { answers, until }] of scenes.entries()) {
      const headers = { 'X-Mock-Story': `${name}; run=all` };
      const ids = Object.keys(answers) as OperationId[];
      for (const id of ids.filter((one) => !until?.includes(one) && answers[one]!.cutsOff !== true)) {
        const { headers: sent } = await ask(id, { ...headers, Prefer: 'wait=0' });
        expect(sent.get('x-mock-story')).toBe(`${name}; scene=${index + 1}`);
      }
      const [end] = until ?? [];
      if (end === undefined) continue;
      if (answers[end]?.cutsOff) await expect(ask(end, headers)).rejects.toThrow(/fetch failed/);
      else await ask(end, headers);
    }
  });

  it('upload-token-used-up stores the first upload, and refuses every later one', async () => {
    const headers = { 'X-Mock-Story': 'upload-token-used-up; run=a' };
    expect((await ask('uploadObject', headers)).status).toBe(200);
    for (let count = 0; count < 2; count++)
      expect((await ask('uploadObject', headers)).body.code).toBe('UPLOAD_TOKEN_USED');
    expect((await ask('listObjects', headers)).status).toBe(200);
  });

  it('refuses an invalid request without moving on', async () => {
    const headers = { ...key, 'X-Mock-Story': 'upload-token-used-up; run=b' };
    const small = await fetch(`${mock.url}/v1/objects?name=a`, { method: 'POST', headers, body: form(5) });
    expect(((await small.json()) as any).code).toBe('FILE_TOO_SMALL');
    expect((await ask('uploadObject', headers)).status).toBe(200);
  });

  it('keeps runs apart, and lets one begin again', async () => {
    const listed = async (run: string) =>
      (await ask('listObjects', { 'X-Mock-Story': `one-picture; run=${run}` })).body.response.objects.length;
    await ask('uploadObject', { 'X-Mock-Story': 'one-picture; run=c' });
    expect([await listed('c'), await listed('d')]).toEqual([1, 0]);
    const address = `${mock.url}/_mock/stories/one-picture?run=c`;
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(204);
    expect(await listed('c')).toBe(0);
  });

  it('many-files has pages of the requested size, and a last one', async () => {
    const ids: string[] = [];
    const sizes: number[] = [];
    for (let next: string | undefined = ''; next !== undefined;) {
      const query: string = `prefix=trip/&limit=1000${next === '' ? '' : `&cursor=${next}`}`;
      const { response } = (await ask('listObjects', { 'X-Mock-Story': 'many-files' }, query)).body;
      sizes.push(response.objects.length);
      ids.push(...response.objects.map(({ id }: { id: string }) => id));
      next = response.continuationToken;
    }
    expect(sizes).toEqual([1000, 1000, 500]);
    expect([new Set(ids).size, ids[0], ids.at(-1)]).toEqual([
      2500,
      'pub/204815162342108999/trip/0001.png',
      'pub/204815162342108999/trip/2500.png',
    ]);
    // With another limit, the pages are others.
    const { body } = await ask('listObjects', { 'X-Mock-Story': 'many-files' }, 'limit=7');
    expect(body.response.objects).toHaveLength(7);
  });

  it('takes the story from the query where no header can be set', async () => {
    const { body } = await ask('listObjects', {}, '__story=one-picture%3B%20run%3Dquery');
    expect(body.response.objects).toEqual([]);
  });

  it('lists its stories, also for scripts of other origins', async () => {
    const response = await fetch(`${mock.url}/_mock/stories`, { headers: { Origin: 'https://app.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const { stories: listed } = (await response.json()) as any;
    expect(listed.map(({ name }: any) => name)).toEqual(Object.keys(stories));
    for (const { about } of listed) expect(about).toMatch(/^[A-Z].*\.$/);
  });

  it('names the stories that there are, if a story is unknown', async () => {
    const { status, body } = await ask('listObjects', { 'X-Mock-Story': 'no-such-story' });
    expect([status, body.detail]).toEqual([422, expect.stringContaining('upload-token-used-up')]);
    expect((await fetch(`${mock.url}/_mock/stories/no-such-story`, { method: 'DELETE' })).status).toBe(404);
    expect((await fetch(`${mock.url}/_mock/stories`, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('preferencesOf()', () => {
  const of = (prefer: string, url = '/') => preferencesOf({ headers: prefer === '' ? {} : { prefer }, url });

  it.each([
    ['code=409', { status: 409 }],
    ['code=409, example=OBJECT_ALREADY_EXISTS', { status: 409, example: 'OBJECT_ALREADY_EXISTS' }],
    ['code=OBJECT_ALREADY_EXISTS', { example: 'OBJECT_ALREADY_EXISTS' }],
    ['example="folders"', { example: 'folders' }],
    ['Code = 409 ; a=b, respond-async', { status: 409 }],
    ['code=409, code=500', { status: 409 }],
    ['dynamic=true', { isDynamic: true }],
    ['dynamic=false', {}],
    ['wait=1.5', { waitMs: 1500 }],
    ['wait=250ms', { waitMs: 250 }],
    ['wait=2s', { waitMs: 2000 }],
    ['wait=3600', { waitMs: 30_000 }],
    ['respond-async', {}],
  ])('reads %s', (prefer, wanted) => {
    expect(of(prefer)).toEqual(wanted);
  });

  it('reads the query where the header is missing', () => {
    const url = '/v1/objects?limit=1&__code=429&__example=RATE_LIMITED&__wait=10ms';
    expect(of('', url)).toEqual({ status: 429, example: 'RATE_LIMITED', waitMs: 10 });
    expect(of('code=500', url)).toEqual({ status: 500 });
  });

  it.each(['code=4090', 'code=', 'dynamic=yes', 'wait=soon', 'wait=-1'])('refuses %s', (prefer) => {
    expect(() => of(prefer)).toThrow(UnmetPreference);
  });
});

describe('a preference', () => {
  it('that the operation cannot meet is refused with the ones that it can', async () => {
    for (const [prefer, detail] of [
      ['code=418', /listObjects has no response with status 418\. It has 200, 400, /],
      ['example=nothing', /listObjects has no example "nothing"\. It has 200 page, 200 last, 200 folders, /],
      ['code=200, example=RATE_LIMITED', /no example "RATE_LIMITED" of status 200\. It has 200 page/],
      ['wait=soon', /"wait" must be a number of seconds/],
    ] as const) {
      const { status, headers, body } = await ask('listObjects', { Prefer: prefer });
      expect([status, headers.get('content-type'), body.detail]).toEqual([
        422,
        'application/problem+json',
        expect.stringMatching(detail),
      ]);
    }
  });

  it('of an error gets the page of its code, and a limit that is used up', async () => {
    const { headers } = await ask('listObjects', { Prefer: 'code=RATE_LIMITED' });
    expect(headers.get('link')).toBe('</docs/errors/RATE_LIMITED>; rel="help"');
    expect(headers.get('ratelimit')).toMatch(
      new RegExp(`^"list";r=0;t=${headers.get('retry-after')}, "account";r=\\d+`),
    );
    expect((await ask('listObjects', { Prefer: 'code=401' })).headers.get('link')).toContain('/ACCESS_DENIED>');
    const chat = await ask('createChatCompletion', { Prefer: 'code=rate_limit_exceeded' });
    expect(chat.headers.get('link')).toContain('/RATE_LIMIT_EXCEEDED>');
  });

  it('wait delays the response', async () => {
    const begunAt = performance.now();
    await ask('listObjects', { Prefer: 'wait=300ms' });
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(299);
  });

  it('dynamic makes a body from the schema', async () => {
    const [one, other] = [await ask('getStats', { Prefer: 'dynamic=true' }), await ask('getStats')];
    expect(one.body).not.toEqual(other.body);
  });

  it('of the request is stronger than its story', async () => {
    const headers = { 'X-Mock-Story': 'one-picture; run=e', Prefer: 'code=LIST_FAILED' };
    expect((await ask('listObjects', headers)).body.code).toBe('LIST_FAILED');
  });
});
