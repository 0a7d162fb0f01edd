import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import { serialUploads } from '#test/support/serial.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const { draft, draftAppend, head, end, append } = serialUploads(() => server);

/** A response as it came: an interim one, or the final one with its body. */
interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A client that knows nothing of HTTP but bytes, so that it sees interim responses. */
class RawClient {
  readonly #socket: Socket;
  #text = '';

  constructor() {
    const { hostname, port } = new URL(server.running.urls.base);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('data', (data) => (this.#text += data.toString('latin1')));
    this.#socket.on('error', () => {});
  }

  write(head: readonly string[], body: Uint8Array = new Uint8Array()): void {
    this.#socket.write(`${head.join('\r\n')}\r\nHost: cubby.example\r\n\r\n`);
    this.#socket.write(body);
  }

  send(body: Uint8Array): void {
    this.#socket.write(body);
  }

  /** Returns the next response. */
  async next(): Promise<RawResponse> {
    const take = (): RawResponse | undefined => {
      const end = this.#text.indexOf('\r\n\r\n');
      if (end === -1) return undefined;
      const [line, ...fields] = this.#text.slice(0, end).split('\r\n');
      const headers = new Map(fields.map((field) => [field.split(': ', 1)[0]!.toLowerCase(), field.split(': ')[1]!]));
      const length = Number(headers.get('content-length') ?? 0);
      if (this.#text.length < end + 4 + length) return undefined;
      const body = this.#text.slice(end + 4, end + 4 + length);
      this.#text = this.#text.slice(end + 4 + length);
      return { status: Number(line!.split(' ')[1]), headers, body };
    };
    await expect.poll(() => this.#text.includes('\r\n\r\n'), { timeout: 10_000 }).toBe(true);
    for (let found = take(); ; found = take()) {
      if (found) return found;
      await once(this.#socket, 'data');
    }
  }

  cut(): void {
    this.#socket.destroy();
  }
}

const start = (account: TestAccount, headers: readonly string[]) => [
  'POST /v1/uploads?prefix=raw HTTP/1.1',
  `Authorization: ${account.credential}`,
  ...headers,
];

const version = 'Upload-Draft-Interop-Version: 8';

describe('an upload by the draft', () => {
  it('is announced with 104 before its bytes, continues after a cut, and answers like one request', async () => {
    const account = await server.account();
    const bytes = someBytes(90_000);
    const client = new RawClient();
    client.write(
      start(account, [
        version,
        'Upload-Complete: ?1',
        `Content-Length: ${bytes.length}`,
        'Content-Type: video/mp4',
        `Content-Disposition: inline; filename="film.mp4"`,
      ]),
    );
    const announced = await client.next();
    expect(announced.status).toBe(104);
    expect(announced.headers.get('upload-draft-interop-version')).toBe('8');
    expect(announced.headers.get('upload-limit')).toBe('max-size=10737418240, min-size=512, max-age=86400');
    const address = announced.headers.get('location')!;
    client.send(bytes.subarray(0, 50_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.cut();
    let asked = await head(account, address, {});
    const offset = Number(asked.headers.get('upload-offset'));
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(50_000);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'upload-complete': '?0',
      'upload-length': '90000',
      'upload-limit': 'max-size=10737418240, min-size=512, max-age=86400',
      'cache-control': 'no-store',
    });
    const done = await draftAppend(account, address, offset, bytes.subarray(offset));
    expect([done.status, done.headers.get('upload-complete')]).toEqual([200, '?1']);
    expect(done.json().response).toMatchObject({
      id: `pub/${account.id}/raw/film.mp4`,
      size: bytes.length,
      sha256: sha256(bytes),
    });
    asked = await head(account, address, {});
    expect([asked.headers.get('upload-complete'), asked.headers.get('upload-offset')]).toEqual(['?1', '90000']);
    expect(asked.headers.get('x-cubby-object')).toBe(`pub/${account.id}/raw/film.mp4`);
  });

  it('tells how far it is with 104, once for each stored part', async () => {
    const account = await server.account();
    const bytes = someBytes(17 * 1_048_576);
    const client = new RawClient();
    client.write(
      start(account, [version, 'Upload-Complete: ?1', `Content-Length: ${bytes.length}`, 'Content-Type: a/b']).map(
        (line) => line.replace('prefix=raw', 'name=big'),
      ),
      bytes,
    );
    const offsets: Array<string | undefined> = [];
    let response = await client.next();
    expect(response.headers.has('location')).toBe(true);
    for (response = await client.next(); response.status === 104; response = await client.next()) {
      expect(response.headers.has('location')).toBe(false);
      offsets.push(response.headers.get('upload-offset'));
    }
    expect(offsets).toEqual([String(16 * 1_048_576), String(bytes.length)]);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body).response.sha256).toBe(sha256(bytes));
    client.cut();
  });

  it.each([[], ['Upload-Draft-Interop-Version: 7']])(
    'sends no 104 to a client of another version: %s',
    async (...sent) => {
      const account = await server.account();
      const client = new RawClient();
      const headers = [
        ...sent,
        'Upload-Complete: ?0',
        'Content-Length: 5',
        'Content-Disposition: inline; filename=a.bin',
      ];
      client.write(start(account, headers), someBytes(5));
      const response = await client.next();
      expect(response.status).toBe(201);
      expect(response.headers.get('location')).toMatch(/^\/v1\/uploads\//);
      expect([response.headers.get('upload-offset'), response.headers.get('upload-complete')]).toEqual(['5', '?0']);
      client.cut();
    },
  );

  it('still sends 100 to a client that waits for it', async () => {
    const account = await server.account();
    const client = new RawClient();
    const headers = [version, 'Upload-Complete: ?0', 'Content-Length: 5', 'Expect: 100-continue'];
    client.write(start(account, [...headers, 'Content-Disposition: inline; filename=a.bin']));
    expect((await client.next()).status).toBe(104);
    expect((await client.next()).status).toBe(100);
    client.send(someBytes(5));
    expect((await client.next()).status).toBe(104);
    expect((await client.next()).status).toBe(201);
    client.cut();
  });

  it('takes a stream of unknown length in several requests, the last of which may be empty', async () => {
    const account = await server.account();
    const bytes = someBytes(3000);
    const made = await draft(account, { 'Upload-Complete': '?0' }, undefined, bytes.subarray(0, 1000));
    expect([made.status, made.headers.get('upload-complete')]).toEqual([201, '?0']);
    const address = made.headers.get('location')!;
    expect((await head(account, address, {})).headers.get('upload-length')).toBeNull();
    const more = await draftAppend(account, address, 1000, bytes.subarray(1000), '?0');
    expect([more.status, more.headers.get('upload-complete')]).toEqual([204, '?0']);
    const done = await draftAppend(account, address, 3000, new Uint8Array(), '?1');
    expect(done.json().response).toMatchObject({ size: 3000, sha256: sha256(bytes) });
  });

  it('never completes by its length alone, and takes nothing once it is complete', async () => {
    const account = await server.account();
    const bytes = someBytes(600);
    const made = await draft(account, { 'Upload-Complete': '?0', 'Upload-Length': '600' }, undefined, bytes);
    const address = made.headers.get('location')!;
    expect((await head(account, address, {})).headers.get('upload-complete')).toBe('?0');
    await draftAppend(account, address, 600, new Uint8Array(), '?1');
    for (const body of [new Uint8Array(), someBytes(1)]) {
      const refused = await draftAppend(account, address, 600, body, '?1');
      expect(refused.status).toBe(409);
    }
    expect((await head(account, address, {})).headers.get('upload-complete')).toBe('?1');
    expect((await end(account, address, {})).status).toBe(404);
  });

  it('is refused whole when its lengths differ, and too large with the limits', async () => {
    const account = await server.account();
    const differing = await draft(
      account,
      { 'Upload-Complete': '?1', 'Upload-Length': '700' },
      undefined,
      someBytes(600),
    );
    expect(differing.json().code).toBe('SIZE_MISMATCH');
    const large = await draft(account, { 'Upload-Complete': '?0', 'Upload-Length': '10737418241' });
    expect([large.status, large.headers.get('upload-limit')]).toEqual([413, 'max-size=10737418240, min-size=512']);
    expect((await draft(account, { 'Upload-Complete': 'yes' })).json().code).toBe('INVALID_UPLOAD_HEADER');
    const { response } = (await server.send('/v1/objects/chunked/open', { credential: account.credential })).json();
    expect(response.uploads).toEqual([]);
  });

  it('ends when a body without a length brings more than the announced size', async () => {
    const account = await server.account();
    const made = await draft(account, { 'Upload-Complete': '?0', 'Upload-Length': '600' });
    const address = made.headers.get('location')!;
    const endless = new ReadableStream({
      start(controller) {
        controller.enqueue(someBytes(700));
        controller.close();
      },
    });
    const refused = await draftAppend(account, address, 0, endless, '?0');
    expect(refused.json().code).toBe('SIZE_MISMATCH');
    expect((await head(account, address, {})).status).toBe(404);
    expect((await append(account, address, 0, someBytes(1))).status).toBe(404);
  });
});
