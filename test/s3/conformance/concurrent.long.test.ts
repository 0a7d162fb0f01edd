import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bytesOf, exchange, readAnswer, textOf, type S3Answer } from '#test/s3/exchange.ts';
import { pairOf, startGateway, type Gateway } from '#test/s3/gateway.ts';
import { sign, type Endpoint, type S3Request } from '#test/s3/signed-request.ts';
import { etagOf, pathOf } from './case.ts';

/*
 * Requests that begin before another request and end after it, which the tables of cases cannot say. The last bytes of
 * a request are held back, or a response is not read, until the other request has its response.
 */

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ sync: false });
});
afterAll(() => gateway.stop());

const mebibyte = 1_048_576;
const path = pathOf('a');

interface Held {
  /** Sends the rest, and returns the response. */
  finish(): Promise<S3Answer>;
}

/** Begins a request and holds back its last 1000 bytes. */
async function begin(endpoint: Endpoint, request: S3Request): Promise<Held> {
  const socket = await connected(endpoint);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => void pieces.push(piece));
  const bytes = bytesOf(sign(endpoint, request));
  const held = bytes.length - 1000;
  await new Promise<void>((resolve, reject) =>
    socket.write(bytes.subarray(0, held), (error) => (error ? reject(error) : resolve())),
  );
  return {
    async finish() {
      const ended = once(socket, 'end');
      socket.write(bytes.subarray(held));
      await ended;
      return readAnswer(Buffer.concat(pieces), request.method ?? 'GET');
    },
  };
}

async function connected({ url }: Endpoint): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Requests a file, and reads only the first bytes of the response. */
async function beginReading(endpoint: Endpoint): Promise<Held> {
  const socket = await connected(endpoint);
  const pieces: Buffer[] = [];
  socket.write(bytesOf(sign(endpoint, { path })));
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  pieces.push(first);
  return {
    async finish() {
      socket.on('data', (piece: Buffer) => void pieces.push(piece));
      const ended = once(socket, 'end');
      socket.resume();
      await ended;
      return readAnswer(Buffer.concat(pieces), 'GET');
    },
  };
}

async function newEndpoint(): Promise<Endpoint> {
  return pairOf(gateway.server, (await gateway.server.account('enterprise')).credential);
}

const of = (letter: string, sizeBytes: number) => letter.repeat(sizeBytes);
const put = (endpoint: Endpoint, body: string, headers: Readonly<Record<string, string>> = {}) =>
  exchange(endpoint, { method: 'PUT', path, body, headers });
const get = async (endpoint: Endpoint) => (await exchange(endpoint, { path })).text;

describe.each([1, 4, 8])('S3: requests at the same time, of %d MiB', (mebibytes) => {
  const sizeBytes = mebibytes * mebibyte;

  it('a reader gets the bytes of the file as it was at the start', async () => {
    const endpoint = await newEndpoint();
    await put(endpoint, of('A', sizeBytes));
    const reading = await beginReading(endpoint);
    expect((await put(endpoint, of('B', sizeBytes))).status).toBe(200);
    expect((await reading.finish()).text === of('A', sizeBytes)).toBe(true);
    expect((await get(endpoint)) === of('B', sizeBytes)).toBe(true);
  });

  it('a file stays until the next one has arrived completely', async () => {
    const endpoint = await newEndpoint();
    await put(endpoint, of('A', sizeBytes));
    const writing = await begin(endpoint, { method: 'PUT', path, body: of('B', sizeBytes) });
    expect((await get(endpoint)) === of('A', sizeBytes)).toBe(true);
    expect((await writing.finish()).status).toBe(200);
    expect((await get(endpoint)) === of('B', sizeBytes)).toBe(true);
  });

  it('the writer that ends last wins', async () => {
    const endpoint = await newEndpoint();
    const writing = await begin(endpoint, { method: 'PUT', path, body: of('B', sizeBytes) });
    expect((await put(endpoint, of('A', sizeBytes))).status).toBe(200);
    expect((await writing.finish()).status).toBe(200);
    expect((await get(endpoint)) === of('B', sizeBytes)).toBe(true);
  });
});

describe('S3: conditions and parts at the same time', () => {
  it('a PUT under If-Match: * is decided when its last bytes come', async () => {
    const endpoint = await newEndpoint();
    await put(endpoint, of('A', mebibyte));
    const writing = await begin(endpoint, {
      method: 'PUT',
      path,
      body: of('B', mebibyte),
      headers: { 'if-match': '*' },
    });
    expect((await get(endpoint)) === of('A', mebibyte)).toBe(true);
    expect((await writing.finish()).status).toBe(200);
    expect((await get(endpoint)) === of('B', mebibyte)).toBe(true);
  });

  it('a PUT under If-Match that is overtaken answers 412', async () => {
    const endpoint = await newEndpoint();
    const etag = etagOf(of('A', mebibyte));
    await put(endpoint, of('A', mebibyte));
    const writing = await begin(endpoint, {
      method: 'PUT',
      path,
      body: of('C', mebibyte),
      headers: { 'if-match': etag },
    });
    expect((await put(endpoint, of('B', mebibyte), { 'if-match': etag })).status).toBe(200);
    const answer = await writing.finish();
    expect([answer.status, textOf(answer.text, 'Code')]).toEqual([412, 'PreconditionFailed']);
    expect((await get(endpoint)) === of('B', mebibyte)).toBe(true);
  });

  it('when a part is sent twice at once, the one that ends last wins', async () => {
    const endpoint = await newEndpoint();
    const uploadId = textOf(
      (await exchange(endpoint, { method: 'POST', path, query: { uploads: '' } })).text,
      'UploadId',
    )!;
    const part = (body: string): S3Request => ({ method: 'PUT', path, query: { partNumber: '1', uploadId }, body });
    const writing = await begin(endpoint, part(of('A', 10_000)));
    expect((await exchange(endpoint, part(of('B', 10_000)))).status).toBe(200);
    expect((await writing.finish()).headers.etag).toBe(etagOf(of('A', 10_000)));
    const body =
      `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etagOf(of('A', 10_000))}</ETag></Part>` +
      '</CompleteMultipartUpload>';
    expect((await exchange(endpoint, { method: 'POST', path, query: { uploadId }, body })).status).toBe(200);
    expect(await get(endpoint)).toBe(of('A', 10_000));
  });

  it('a refused client that waits for 100 Continue sends no body: the connection ends, the next serves', async () => {
    const endpoint = await newEndpoint();
    const socket = await connected(endpoint);
    const ended = once(socket, 'end');
    const wire = sign(endpoint, {
      method: 'PUT',
      path: '/other/a',
      body: 'words',
      headers: { expect: '100-continue' },
    });
    socket.write(bytesOf({ ...wire, body: Buffer.alloc(0) }));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 404 [^]*\r\nConnection: close\r\n[^]*<Code>NoSuchBucket</i);
    await ended;
    expect((await put(endpoint, 'words', { expect: '100-continue' })).status).toBe(200);
    expect(await get(endpoint)).toBe('words');
  });
});
