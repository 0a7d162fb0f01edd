import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

/** The tested properties of a request. */
export interface FakeRequest {
  /** `start`, `part`, `status`, `complete`, `abort`, `upload` or `info`. */
  readonly operation: string;
  readonly query: Readonly<Record<string, string>>;
  readonly credential: string;
  readonly body: Buffer;
}

/** A wrong or late response. `cut` breaks the connection, with `late` only after the request was carried out. */
export type Fault =
  | { readonly status: number; readonly code?: string; readonly retryAfter?: string }
  | { readonly cut: 'early' | 'late' }
  | { readonly hang: true }
  | { readonly delayMs: number };

interface OpenUpload {
  readonly parts: Map<number, Buffer>;
  completed?: Buffer;
}

/**
 * The upload operations of the contract over memory, with faults on demand that a real server has only in a failure.
 * Closed when the test ends.
 */
export interface FakeServer {
  readonly baseUrl: string;
  readonly requests: FakeRequest[];
  readonly uploads: Map<string, OpenUpload>;
  /** Files by their id. */
  readonly files: Map<string, Buffer>;
  /** Returns the id of a new upload, which depends on the token. */
  idOf: (request: FakeRequest) => string;
  /** Called before each response. */
  fault: (request: FakeRequest) => Fault | undefined;
  /** The maximum number of parallel parts so far. */
  mostParts: number;
  count(operation: string): number;
  /** Responds to the hanging requests, or breaks their connections. */
  endHung(how: 'answer' | 'cut'): void;
  /** Whether `/livez` gets a response. */
  isAlive: boolean;
}

type HangEnd = 'answer' | 'cut';

export async function startFakeServer(): Promise<FakeServer> {
  let parts = 0;
  const hung: Array<(how: HangEnd) => void> = [];
  const server = createServer(async (req, res) => {
    const isPart = req.method === 'PUT';
    if (isPart) fake.mostParts = Math.max(fake.mostParts, ++parts);
    try {
      await answer(fake, req, res, () => new Promise((resolve) => hung.push(resolve)));
    } catch {
      res.destroy(); // the client is gone
    } finally {
      if (isPart) parts--;
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    uploads: new Map(),
    files: new Map(),
    idOf: () => 'pub/1/started',
    fault: () => undefined,
    mostParts: 0,
    isAlive: true,
    endHung: (how) => hung.splice(0).forEach((end) => end(how)),
    count: (operation) => fake.requests.filter((request) => request.operation === operation).length,
  };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return fake;
}

async function answer(
  fake: FakeServer,
  req: IncomingMessage,
  res: ServerResponse,
  hang: () => Promise<HangEnd>,
): Promise<void> {
  if (req.url === '/livez') return void (fake.isAlive && res.end());
  const { pathname, searchParams } = new URL(req.url!, 'http://any');
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const operation = operationOf(req.method!, pathname);
  const request = {
    operation,
    query: Object.fromEntries(searchParams),
    credential: req.headers.authorization ?? '',
    body: Buffer.concat(chunks),
  };
  fake.requests.push(request);
  const fault = fake.fault(request);
  if (fault && 'hang' in fault && (await hang()) === 'cut') return void res.destroy();
  if (fault && 'cut' in fault && fault.cut === 'early') return void res.destroy();
  if (fault && 'status' in fault) return refuse(res, fault.status, fault.code, fault.retryAfter);
  if (fault && 'delayMs' in fault) await sleep(fault.delayMs);
  const outcome = carryOut(fake, request);
  if (fault && 'cut' in fault) return void res.destroy();
  if (typeof outcome === 'string') return refuse(res, outcome.endsWith('_NOT_FOUND') ? 404 : 400, outcome);
  res
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ status: 'success', response: outcome }));
}

function operationOf(method: string, path: string): string {
  if (path === '/v1/objects') return 'upload';
  if (path === '/v1/objects/info') return 'info';
  return { POST: 'start', PUT: 'part', GET: 'status', PATCH: 'complete', DELETE: 'abort' }[method]!;
}

function refuse(res: ServerResponse, status: number, code?: string, retryAfter?: string): void {
  const headers = {
    'Content-Type': code ? 'application/json' : 'text/html',
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
  };
  res
    .writeHead(status, headers)
    .end(code ? JSON.stringify({ status: 'error', code, message: `About ${code}.` }) : '<h1>Bad gateway</h1>');
}

const hashes = new WeakMap<Buffer, string>();

/** Caches the hash of each file. */
function sha256(bytes: Buffer): string {
  const hash = hashes.get(bytes) ?? createHash('sha256').update(bytes).digest('hex');
  hashes.set(bytes, hash);
  return hash;
}

/** Returns the `response` of a success, or the code of a refusal. */
function carryOut(fake: FakeServer, request: FakeRequest): object | string {
  const { operation, query, body } = request;
  if (operation === 'upload') return store(fake, query.name!, contentOf(body));
  if (operation === 'start') {
    const upload = randomUUID();
    fake.uploads.set(upload, { parts: new Map() });
    return {
      upload,
      id: fake.idOf(request),
      private: false,
      url: null,
      chunk: { min_size: 65_536, max_size: 33_554_432, max_parts: 2048, max_object_size: 10_737_418_240 },
    };
  }
  if (operation === 'info') {
    const bytes = fake.files.get(query.object!);
    return bytes ? { id: query.object, size: bytes.length, sha256: sha256(bytes) } : 'OBJECT_NOT_FOUND';
  }
  const handle = query.upload ?? JSON.parse(body.toString()).upload;
  const upload = fake.uploads.get(handle);
  if (!upload) return 'UPLOAD_NOT_FOUND';
  if (operation === 'complete') return complete(fake, handle, upload);
  if (upload.completed) return 'UPLOAD_NOT_FOUND';
  if (operation === 'abort') return (fake.uploads.delete(handle), {});
  if (operation === 'status')
    return {
      id: 'pub/1/started',
      parts: [...upload.parts].map(([part, bytes]) => ({ part, size: bytes.length, etag: 'x' })),
      next_part: 1,
      size_so_far: 0,
    };
  if (query.checksum_sha256 && query.checksum_sha256 !== sha256(body)) return 'CHECKSUM_MISMATCH';
  upload.parts.set(Number(query.part), body);
  return { part: Number(query.part), size: body.length, etag: 'x' };
}

function complete(fake: FakeServer, handle: string, upload: OpenUpload): object | string {
  for (let part = 1; part <= upload.parts.size; part++) if (!upload.parts.has(part)) return 'INVALID_CHUNK_PART';
  if (upload.parts.size === 0) return 'NO_CHUNKS_UPLOADED';
  if (!upload.completed) {
    upload.completed = Buffer.concat(
      [...upload.parts.keys()].sort((a, b) => a - b).map((part) => upload.parts.get(part)!),
    );
    store(fake, handle, upload.completed);
  }
  return { ...stored(handle, upload.completed), parts: upload.parts.size };
}

function store(fake: FakeServer, name: string, bytes: Buffer): object {
  fake.files.set(`pub/1/${name}`, bytes);
  return stored(name, bytes);
}

function stored(name: string, bytes: Buffer): object {
  return {
    id: `pub/1/${name}`,
    name,
    private: false,
    url: `http://public.invalid/${name}`,
    size: bytes.length,
    sha256: sha256(bytes),
    replaced: false,
  };
}

/** Returns the only file of a multipart body. */
function contentOf(body: Buffer): Buffer {
  const boundary = body.subarray(0, body.indexOf('\r\n'));
  return body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf(boundary) - 2);
}
