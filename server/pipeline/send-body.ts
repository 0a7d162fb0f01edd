import type { ServerResponse } from 'node:http';

import { Rendered } from '#server/http/reply.ts';
import { setHeaders } from '#server/http/wire-headers.ts';
import { pageHeaders } from '#server/pages/layout.ts';
import type { Reply } from './exchange.ts';

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  sendText(res, status, body instanceof Rendered ? body.bytes : JSON.stringify(body), 'application/json');
}

/** @param text may be written in UTF-8 already */
export function sendText(res: ServerResponse, status: number, text: string | Uint8Array, type = 'text/plain'): void {
  res.setHeader('Content-Type', `${type}; charset=utf-8`);
  send(res, status, text);
}

export function sendPage(
  res: ServerResponse,
  status: number,
  page: string,
  headers: Readonly<Record<string, string>> = pageHeaders,
): void {
  setHeaders(res, headers);
  send(res, status, page);
}

function send(res: ServerResponse, status: number, text: string | Uint8Array): void {
  res.statusCode = status;
  endWith(res, text);
}

/** Above this length, encoding a text costs less than what Node saves by writing it together with the head. */
const maxTextLength = 16_384;

/**
 * Ends a response with a text. Node writes a string together with the head, which it does not with bytes. But it passes
 * over the string several times, so a long one is sent as bytes.
 */
export function endWith(res: ServerResponse, text: string | Uint8Array): void {
  const body = typeof text === 'string' && text.length > maxTextLength ? Buffer.from(text) : text;
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

/** Sends a reply that is not a file: nothing, text and bytes as they are, or JSON. By default it must not be cached. */
export function sendContent(res: ServerResponse, { status, body }: Reply): void {
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  if (body === undefined) return void res.writeHead(status).end();
  if (typeof body === 'string' || body instanceof Uint8Array) {
    res.statusCode = status;
    return endWith(res, body);
  }
  sendJson(res, status, body);
}
