import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import { evaluateConditions, ifRangeHolds } from './conditional.ts';
import { formatEtag } from './etag.ts';
import { formatHttpDate } from './http-date.ts';
import { parseRange, type ByteRange } from './range.ts';
import { sendAtOnce, sendStream } from './send-bytes.ts';
import { setHeaders } from './wire-headers.ts';

/** Bytes that HTTP serves whole, in part or not at all, as the conditions and the range of the request say. */
export interface Representation {
  readonly sizeBytes: number;
  /** A strong entity tag, without its quotes. */
  readonly etag: string;
  /** Milliseconds since 1970. Undefined sends no `Last-Modified`: only the entity tag tells its states apart. */
  readonly lastModifiedMs: number | undefined;
  /** `Content-Type`, `Cache-Control` and others, except those that follow from the fields above. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Opens the bytes of the range, or all bytes for `undefined`. It is called at most once, and only if bytes will be
   * sent. It must return exactly the requested bytes. Return a few bytes that are in memory as they are: a stream of a
   * kilobyte costs more than the kilobyte.
   */
  open(range: ByteRange | undefined): Promise<Readable | Uint8Array>;
  /** Ends the response in the middle, by closing the connection. */
  readonly stop?: AbortSignal;
  /**
   * Returns where the client can read the same bytes from another server, and how long this may be cached. Undefined:
   * this server sends them.
   */
  elsewhere?(): { readonly location: string; readonly cacheControl: string } | undefined;
}

export interface SendOptions {
  /** Writes the body of a 412 or 416 and ends the response. Status and headers are set. Default: an empty body. */
  readonly writeRefusal?: (status: 412 | 416) => void;
  /** Sends only these bytes, as a 206, and ignores `Range`. */
  readonly range?: ByteRange;
  /** Applies `Range` to HEAD as to GET, as S3 does. */
  readonly rangesOnHead?: boolean;
  /** Called with the sent bytes before an error in the middle of them is thrown. */
  readonly onCut?: (bytesSent: number) => void;
}

/** The result of a download. */
export interface SendResult {
  /**
   * `sent`: the whole response was handed to the network. `aborted`: the client disconnected, or `stop` fired. The
   * others have no bytes.
   */
  readonly outcome: 'sent' | 'aborted' | 'redirected' | (typeof outcomesWithoutBytes)[304 | 412 | 416];
  /** Bytes of the representation that were handed to the network; 0 for HEAD. */
  readonly bytesSent: number;
}

const outcomesWithoutBytes = {
  304: 'not-modified',
  412: 'precondition-failed',
  416: 'range-not-satisfiable',
} as const;

/**
 * Responds to a GET or HEAD with a representation: conditions (304, 412), ranges (206, 416), or the whole (200).
 * Another method, as that of a form, gets the whole.
 *
 * It throws an error of `open()` before anything is sent and any header is set, so that the caller can respond to it.
 * An error in the middle of the bytes closes the connection, because a client would take a short response for a whole
 * one. It is thrown too, for the log: `res.headersSent` tells the two apart. A client that disconnects is no error.
 */
export async function sendRepresentation(
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  options: SendOptions = {},
): Promise<SendResult> {
  const choice = choose(req, representation, options);
  const elsewhere =
    representation.elsewhere && typeof choice === 'object' && mayLeave(req, options)
      ? representation.elsewhere()
      : undefined;
  if (elsewhere) return redirect(res, representation, elsewhere);
  if (typeof choice === 'object') return sendBytes(req, res, representation, { ...options, ...choice });
  if (choice === 304) {
    // "A sender SHOULD NOT generate representation metadata other than [the validators and cache fields]" (15.4.5).
    writeHead(res, 304, withoutContentFields(commonHeaders(representation)));
  } else {
    const unsatisfied = { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${representation.sizeBytes}` };
    writeHead(res, choice, choice === 416 ? unsatisfied : {});
  }
  if (choice === 304 || !options.writeRefusal) res.end();
  else options.writeRefusal(choice);
  return { outcome: outcomesWithoutBytes[choice], bytesSent: 0 };
}

/**
 * Whether another server may send the bytes. Its validators are its own, so it must not judge conditions that a client
 * means for this one.
 */
function mayLeave({ method, headers }: IncomingMessage, { range }: SendOptions): boolean {
  return method === 'GET' && !range && !Object.keys(headers).some((name) => name.startsWith('if-'));
}

/** 307, not 302: "the user agent MUST NOT change the request method" (15.4.8). It sends `Range` again. */
function redirect(
  res: ServerResponse,
  { headers }: Representation,
  { location, cacheControl }: { readonly location: string; readonly cacheControl: string },
): SendResult {
  writeHead(res, 307, {
    ...withoutContentFields({ ...headers }),
    Location: location,
    'Cache-Control': cacheControl,
    'Content-Length': '0',
  });
  res.end();
  return { outcome: 'redirected', bytesSent: 0 };
}

/** A status without bytes, or the bytes to send: all of them without a range. */
type Choice = 304 | 412 | 416 | { readonly range?: ByteRange };

/** Takes the steps of RFC 9110 section 13.2.2. The range is the last one. */
function choose(req: IncomingMessage, representation: Representation, { range, rangesOnHead }: SendOptions): Choice {
  const { etag, lastModifiedMs, sizeBytes } = representation;
  const method = req.method ?? 'GET';
  // A form is sent for its effect. Its conditions would be about the page of the form, and a range is for GET alone.
  if (method !== 'GET' && method !== 'HEAD') return range ? { range } : {};
  const condition = evaluateConditions({ method, headers: req.headers, etag, lastModifiedMs });
  if (condition === 'precondition-failed') return 412;
  if (condition === 'not-modified') return 304;

  if (range) return { range };
  // "A server MUST ignore a Range header field received with a request method [other than] GET" (14.2).
  // Node writes `Date` from the machine's own clock.
  if ((method !== 'GET' && !rangesOnHead) || !ifRangeHolds(ifRangeOf(req), representation, Date.now())) return {};
  const wanted = parseRange(req.headers.range, sizeBytes);
  if (wanted.kind === 'unsatisfiable') return 416;
  return wanted.kind === 'none' ? {} : { range: { start: wanted.start, end: wanted.end } };
}

function ifRangeOf(req: IncomingMessage): string | undefined {
  const header = req.headers['if-range'];
  return Array.isArray(header) ? header.join(', ') : header;
}

async function sendBytes(
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  { range, ...options }: SendOptions,
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
  const isWhole = source instanceof Uint8Array;
  if (isWhole && source.length !== lengthBytes) throw new Error(`${source.length} bytes in place of ${lengthBytes}`);
  writeHead(res, status, headers);
  if (isWhole) return sendAtOnce(source, res, representation.stop);
  return sendStream(source, res, lengthBytes, { ...options, signal: representation.stop });
}

function commonHeaders({ headers, etag, lastModifiedMs }: Representation): Record<string, string> {
  return {
    ...headers,
    'Accept-Ranges': 'bytes',
    ETag: formatEtag(etag),
    ...(lastModifiedMs !== undefined && { 'Last-Modified': formatHttpDate(lastModifiedMs) }),
  };
}

/**
 * Headers that describe content, which a 304 does not have. It keeps `Content-Location`. With a checksum of S3 in a
 * 304, the AWS SDK for Python expects content and fails.
 */
const CONTENT_FIELD =
  /^(?:content-(?:type|length|encoding|language|range|disposition|digest|md5)|x-amz-checksum-\w+)$/i;

function withoutContentFields(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONTENT_FIELD.test(name)));
}

function writeHead(res: ServerResponse, status: number, headers: Record<string, string>): void {
  res.statusCode = status;
  setHeaders(res, headers);
}
