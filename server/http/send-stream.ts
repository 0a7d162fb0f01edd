import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { evaluateConditions, ifRangeHolds } from './conditional.ts';
import { formatHttpDate } from './http-date.ts';
import { parseRange, type ByteRange } from './range.ts';

/** Bytes that can be downloaded, and what is said about them. */
export interface Representation {
  readonly sizeBytes: number;
  /** A strong entity tag, without its quotes. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModifiedMs: number;
  /** `Content-Type`, `Cache-Control` and the like; not those that follow from the fields above. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Opens the bytes, all of them for `undefined`. Called once at most, and only when bytes will be sent. They must be
   * exactly as many as were asked for. A few that are in memory already are better given as they are: a stream of a
   * kilobyte costs more than the kilobyte.
   */
  open(range: ByteRange | undefined): Promise<Readable | Uint8Array>;
}

/** How a download is to be sent. */
export interface SendOptions {
  /** Ends the answer midway, by closing the connection. */
  readonly signal?: AbortSignal;
  /**
   * Writes the body of a 412 or 416 in the caller's own shape and ends the answer. Status and headers are set
   * already. Without it the body is empty.
   */
  readonly writeRefusal?: (status: 412 | 416) => void;
  /** Only these bytes, as a 206, whatever `Range` says. */
  readonly range?: ByteRange;
  /** Answers `Range` of a HEAD as that of the GET, as S3 does. */
  readonly rangesOnHead?: boolean;
}

/** How a download ended. */
export interface SendResult {
  /**
   * `sent`: the whole answer was handed to the network; `aborted`: the client went away, or the signal fired;
   * otherwise no bytes were asked for.
   */
  readonly outcome: 'sent' | 'aborted' | 'not-modified' | 'precondition-failed' | 'range-not-satisfiable';
  /** Bytes of the representation that were handed to the network; 0 for HEAD. */
  readonly bytesSent: number;
}

/**
 * Answers a GET or HEAD with a representation: conditions (304, 412), ranges (206, 416), or the whole (200).
 *
 * An error of `open()` is thrown while nothing is sent and no header set, so that the caller can answer it. An error
 * in the middle of the bytes closes the connection, since a client takes a short answer for a whole one, and is thrown
 * for the log: look at `res.headersSent`. A client that goes away is no error.
 */
export async function sendRepresentation(
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  options: SendOptions = {},
): Promise<SendResult> {
  const answer = chooseAnswer(req, representation, options);
  switch (answer.status) {
    case 304:
      // "A sender SHOULD NOT generate representation metadata other than [the validators and cache fields]" (15.4.5).
      writeHead(res, 304, withoutContentFields(commonHeaders(representation)));
      res.end();
      return { outcome: 'not-modified', bytesSent: 0 };
    case 412:
      refuse(res, 412, {}, options);
      return { outcome: 'precondition-failed', bytesSent: 0 };
    case 416:
      refuse(res, 416, { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${representation.sizeBytes}` }, options);
      return { outcome: 'range-not-satisfiable', bytesSent: 0 };
    case 200:
    case 206:
      return sendBytes(req, res, representation, answer.range, options);
  }
}

type Answer =
  | { readonly status: 304 | 412 | 416 }
  | { readonly status: 200; readonly range: undefined }
  | { readonly status: 206; readonly range: ByteRange };

/** The steps of RFC 9110 section 13.2.2, of which the range is the last. */
function chooseAnswer(req: IncomingMessage, representation: Representation, options: SendOptions): Answer {
  const { etag, lastModifiedMs, sizeBytes } = representation;
  const method = req.method ?? 'GET';
  const condition = evaluateConditions({ method, headers: req.headers, etag, lastModifiedMs });
  if (condition === 'precondition-failed') return { status: 412 };
  if (condition === 'not-modified') return { status: 304 };

  if (options.range) return { status: 206, range: options.range };
  // "A server MUST ignore a Range header field received with a request method [other than] GET" (14.2).
  // Node writes `Date` from the machine's own clock.
  if ((method !== 'GET' && !options.rangesOnHead) || !ifRangeHolds(ifRangeOf(req), representation, Date.now()))
    return { status: 200, range: undefined };
  const range = parseRange(req.headers.range, sizeBytes);
  if (range.kind === 'none') return { status: 200, range: undefined };
  if (range.kind === 'unsatisfiable') return { status: 416 };
  return { status: 206, range: { start: range.start, end: range.end } };
}

function ifRangeOf(req: IncomingMessage): string | undefined {
  const header = req.headers['if-range'];
  return Array.isArray(header) ? header.join(', ') : header;
}

async function sendBytes(
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  range: ByteRange | undefined,
  options: SendOptions,
): Promise<SendResult> {
  const lengthBytes = range === undefined ? representation.sizeBytes : range.end - range.start + 1;
  const status = range === undefined ? 200 : 206;
  const headers = {
    ...commonHeaders(representation),
    'Content-Length': String(lengthBytes),
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${representation.sizeBytes}` }),
  };
  if (req.method === 'HEAD') {
    writeHead(res, status, headers);
    res.end();
    return { outcome: 'sent', bytesSent: 0 };
  }

  const source = await representation.open(range);
  if (res.destroyed) {
    if (!(source instanceof Uint8Array)) source.destroy();
    return { outcome: 'aborted', bytesSent: 0 };
  }
  if (source instanceof Uint8Array) {
    if (source.length !== lengthBytes) throw new Error(`${source.length} bytes in place of ${lengthBytes}`);
    writeHead(res, status, headers);
    return sendAtOnce(source, res, options.signal);
  }
  writeHead(res, status, headers);
  return pipeExactly(source, res, lengthBytes, options.signal);
}

function sendAtOnce(bytes: Uint8Array, res: ServerResponse, signal: AbortSignal | undefined): Promise<SendResult> {
  return new Promise((resolve) => {
    res.once('close', () => resolve({ outcome: 'aborted', bytesSent: 0 }));
    if (signal?.aborted) res.destroy();
    else res.end(bytes, () => resolve({ outcome: 'sent', bytesSent: bytes.length }));
  });
}

/** Hands `lengthBytes` bytes to the client, or breaks the connection. */
async function pipeExactly(
  source: Readable,
  res: ServerResponse,
  lengthBytes: number,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  let bytesSent = 0;
  let fault: Error | undefined;
  // Once the client is gone, the pipeline tears the source down and the source says so here: not a failure of its own.
  source.once('error', (error) => {
    if (!res.destroyed && signal?.aborted !== true) fault ??= error;
  });

  async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (bytesSent + chunk.length > lengthBytes) {
        throw (fault = new Error(`More than the announced ${lengthBytes} bytes`));
      }
      bytesSent += chunk.length;
      yield chunk;
    }
    if (bytesSent < lengthBytes) throw (fault ??= new Error(`Only ${bytesSent} of the announced ${lengthBytes} bytes`));
  }

  try {
    await pipeline(source, counted, res, signal === undefined ? {} : { signal });
    return { outcome: 'sent', bytesSent };
  } catch {
    // The pipeline has destroyed the response, and with it the connection.
    if (fault !== undefined) throw fault;
    return { outcome: 'aborted', bytesSent };
  }
}

function commonHeaders(representation: Representation): Record<string, string> {
  return {
    ...representation.headers,
    'Accept-Ranges': 'bytes',
    ETag: `"${representation.etag}"`,
    'Last-Modified': formatHttpDate(representation.lastModifiedMs),
  };
}

/**
 * What describes the content that a 304 does not have. `Content-Location` is one of the fields that it keeps. Of S3's
 * checksums the AWS SDK for Python takes a 304 for a content, and fails on it.
 */
const CONTENT_FIELD =
  /^(?:content-(?:type|length|encoding|language|range|disposition|digest|md5)|x-amz-checksum-\w+)$/i;

function withoutContentFields(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONTENT_FIELD.test(name)));
}

function writeHead(res: ServerResponse, status: number, headers: Record<string, string>): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

function refuse(
  res: ServerResponse,
  status: 412 | 416,
  headers: Record<string, string>,
  { writeRefusal }: SendOptions,
): void {
  writeHead(res, status, headers);
  if (writeRefusal === undefined) res.end();
  else writeRefusal(status);
}
