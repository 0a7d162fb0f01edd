import { bytesOf } from '#test/s3/exchange.ts';
import { presign, sign } from '#test/s3/signed-request.ts';
import type { FuzzRequest } from '../draft.ts';
import { serverClock } from '../server-clock.ts';
import { faulty, type Serialised } from './wire-faults.ts';

/** @param url of the door, for the Host header and signatures */
export function serialise(request: FuzzRequest, url: string): Serialised {
  const plain = request.signing ? signed(request, url) : unsigned(request, new URL(url).host);
  if (!request.fault) return { bytes: plain, isFaulty: false, endsEarly: false };
  return faulty(plain, request.fault, url);
}

function unsigned({ method, target, headers, body, isChunked }: FuzzRequest, host: string): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const sent = body === undefined ? Buffer.alloc(0) : Buffer.from(body, 'latin1');
  const hasLength = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const needsLength = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
  if (isChunked && !hasLength) lines.push('Transfer-Encoding: chunked');
  else if (needsLength && !hasLength) lines.push(`Content-Length: ${sent.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return Buffer.concat(isChunked ? [head, ...chunks(sent)] : [head, sent]);
}

function chunks(body: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += 700) {
    const piece = body.subarray(at, at + 700);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return [...pieces, Buffer.from('0\r\n\r\n')];
}

/** Signs a request to the S3 gateway. A header of the request replaces the signature's own. */
function signed(request: FuzzRequest, url: string): Buffer {
  const { method, signing, body = '', headers: own } = request;
  const { isPresigned, payload = 'signed', ...pair } = signing!;
  const [path = '/', search = ''] = request.target.split(/\?(.*)/s);
  const query = Object.fromEntries(search.split('&').filter(Boolean).map(parameter));
  const headers = Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value]));
  const endpoint = { url, ...pair };
  const signedAtMs = serverClock.now();
  const bytes = Buffer.from(body, 'latin1');
  if (!isPresigned)
    return withoutClose(bytesOf(sign(endpoint, { method, path, query, headers, body: bytes, payload, signedAtMs })));
  const target = presign(endpoint, { method, path, query, headers, signedAtMs });
  return unsigned({ ...request, target }, new URL(url).host);
}

function parameter(text: string): [string, string] {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    return [name, value];
  }
}

/** The tests of the gateway end each connection. Here it is used again. */
function withoutClose(bytes: Buffer): Buffer {
  const text = Buffer.from('connection: close\r\n');
  const at = bytes.indexOf(text);
  return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + text.length)]);
}
