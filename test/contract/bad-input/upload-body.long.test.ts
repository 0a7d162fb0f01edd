import { connect } from 'node:net';

import { beforeAll, describe, expect, it } from 'vitest';

import { fileHead, multipart, multipartType, smallest } from './multipart.ts';
import { openRequest, rawSend, type RawRequest } from './raw-request.ts';
import { badUploads, goodUploads } from './upload-bodies.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer({ sendsFiles: true });
beforeAll(async () => {
  await post(multipart(smallest), 'name=there');
});

function post(
  body: RawRequest['body'],
  query = 'name=photo',
  headers: Readonly<Record<string, string>> = { 'Content-Type': multipartType },
) {
  return rawSend(watched.server, {
    method: 'POST',
    path: `/v1/objects?${query}`,
    credential: watched.account.credential,
    headers,
    body,
  });
}

async function* inPieces(bytes: Uint8Array | string, size: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

describe('uploadObject()', () => {
  it.each(badUploads)('answers $code and stores nothing when its body $what', async ({ code, body, type, headers }) => {
    const all = { ...(type !== null && type !== undefined && { 'Content-Type': type }), ...headers };
    const answer = await watched.state.unchangedBy(() => post(body, 'name=photo', all));
    expect(answer.json().code).toBe(code);
    const inChunks = await watched.state.unchangedBy(() => post(inPieces(body, 97), 'name=photo', all));
    expect(inChunks.json().code, 'in chunks').toBe(code);
  });

  it('answers INVALID_CONTENT_TYPE when there is no body at all', async () => {
    const answer = await watched.state.unchangedBy(() => post(undefined, 'name=photo', {}));
    expect(answer.json().code).toBe('INVALID_CONTENT_TYPE');
  });

  it.each([20_000, 3_000_000])(
    'answers INVALID_CONTENT_TYPE and keeps nothing when a second part follows %d bytes',
    async (size) => {
      const bytes = Buffer.concat([
        Buffer.from(fileHead()),
        Buffer.alloc(size),
        Buffer.from('\r\n'),
        multipart(smallest),
      ]);
      const answer = await watched.state.unchangedBy(() => post(bytes));
      expect(answer.json().code).toBe('INVALID_CONTENT_TYPE');
    },
  );

  it.each([20_000, 3_000_000])(
    'answers INVALID_FILE and keeps nothing when the form ends within %d bytes',
    async (size) => {
      const bytes = multipart(Buffer.alloc(size)).subarray(0, -4);
      for (const body of [bytes, inPieces(bytes, 60_000)]) {
        const answer = await watched.state.unchangedBy(() => post(body));
        expect(answer.json().code).toBe('INVALID_FILE');
      }
    },
  );

  it.each([
    ['small', 3_000],
    ['large', 1_000_000],
  ])('answers CHECKSUM_MISMATCH and stores nothing when a %s file has other bytes', async (_, size) => {
    const answer = await watched.state.unchangedBy(() =>
      post(multipart(Buffer.alloc(size)), `name=photo&checksum_sha256=${'0'.repeat(64)}`),
    );
    expect(answer.json().code).toBe('CHECKSUM_MISMATCH');
  });

  it.each([
    ['small', 3_000],
    ['large', 1_000_000],
  ])('answers OBJECT_ALREADY_EXISTS and stores nothing when a %s file may not replace another', async (_, size) => {
    const answer = await watched.state.unchangedBy(() =>
      post(multipart(Buffer.alloc(size)), 'name=there&overwrite=false'),
    );
    expect(answer.json().code).toBe('OBJECT_ALREADY_EXISTS');
  });
});

describe('uploadObject() whose client disconnects', () => {
  const head = () =>
    `POST /v1/objects?name=photo HTTP/1.1\r\nHost: localhost\r\nAuthorization: ` +
    `${watched.account.credential}\r\nContent-Type: ${multipartType}\r\n`;

  /** Sends the bytes, waits until the server has begun to read them, then disconnects. */
  async function leave(text: string, how: 'end' | 'destroy' | 'reset'): Promise<void> {
    const socket = connect(Number(new URL(watched.server.running.urls.api).port), '127.0.0.1');
    socket.on('error', () => {}).resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const seen = watched.server.log.length;
    await new Promise((resolve) => socket.write(text, resolve));
    if (how === 'end') socket.end();
    else if (how === 'destroy') socket.destroy();
    else socket.resetAndDestroy();
    await closed;
    await expect
      .poll(() => watched.server.log.slice(seen).some(({ operation }) => operation === 'uploadObject'), { interval: 5 })
      .toBe(true);
  }

  it.each(['end', 'destroy', 'reset'] as const)(
    'stores nothing, large or small, when it disconnects with %s',
    async (how) => {
      for (const sentBytes of [0, 400, 20_000, 200_000]) {
        for (const framing of ['Content-Length: 5000000\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n4c4b40\r\n']) {
          await watched.state.soonUnchangedBy(() => leave(head() + framing + fileHead() + 'a'.repeat(sentBytes), how));
        }
      }
      expect(watched.server.log.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );

  it('stores nothing when it disconnects after the last byte but one', async () => {
    const body = multipart(Buffer.alloc(30_000));
    const text = `${head()}Content-Length: ${body.length}\r\n\r\n${body.toString('latin1').slice(0, -1)}`;
    await watched.state.soonUnchangedBy(() => leave(text, 'destroy'));
  });

  it('holds no quota after an aborted upload', async () => {
    await watched.state.soonUnchangedBy(async () => {
      const { wire, answer } = openRequest(watched.server, {
        method: 'POST',
        path: '/v1/objects?name=photo',
        credential: watched.account.credential,
        headers: { 'Content-Type': multipartType, 'Content-Length': '1000000' },
      });
      wire.write(multipart(Buffer.alloc(100_000)).subarray(0, 90_000));
      await expect.poll(async () => (await watched.state.dump()).reservations, { interval: 5 }).toHaveLength(1);
      wire.destroy();
      await expect(answer).rejects.toThrow();
      await expect.poll(async () => (await watched.state.dump()).reservations, { interval: 5 }).toEqual([]);
    });
  });
});

describe('uploadObject() with a file called', () => {
  it.each(goodUploads)('$what stores it as .$extension, served as $contentType', async (one) => {
    const body = multipart(
      smallest,
      fileHead({ disposition: one.disposition, ...(one.type !== undefined && { type: one.type }) }),
    );
    const { id, url } = (await post(body, 'name=good')).json().response;
    expect(id).toBe(`pub/${watched.account.id}/good.${one.extension}`);

    const info = (
      await rawSend(watched.server, { path: `/v1/objects/info?object=${id}`, credential: watched.account.credential })
    ).json().response;
    expect(info).toMatchObject({ original_name: one.originalName, content_type: one.contentType });

    const served = await rawSend(watched.server, { path: new URL(url).pathname, door: 'public' });
    expect(served.headers.get('content-type')).toBe(one.contentType);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    const disposition = served.headers.get('content-disposition');
    if (one.isAttachment) expect(disposition).toMatch(/^attachment/);
    else expect(disposition).toBeNull();
    expect(served.body.equals(smallest)).toBe(true);
  });

  it('a renderable type is served as an attachment even if its owner requested inline', async () => {
    const { url } = (
      await post(
        multipart(smallest, fileHead({ disposition: 'form-data; name="file"; filename="a.html"' })),
        'name=page&disposition=inline',
      )
    ).json().response;
    const served = await rawSend(watched.server, { path: new URL(url).pathname, door: 'public' });
    expect(served.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(served.headers.get('content-type')).toBe('application/octet-stream');
  });
});
