import type { ServerResponse } from 'node:http';

import { errors, type ErrorCode } from '#generated/errors.ts';
import type { OperationPolicy } from '#generated/policies.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refusalMessage } from '#server/domain/refusal-words.ts';
import { RefusedPage } from '#server/handlers/refused-page.ts';
import { asksForHtml } from '#server/http/accept.ts';
import { pageHeaders } from '#server/pages/layout.ts';
import { sendErrorPage, sendPage } from './error-page.ts';
import type { Reply } from './exchange.ts';

/** How a door words its refusals. */
export type ErrorShape = OperationPolicy['errorShape'];

/** Sends a JSON answer. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  const text = Buffer.from(JSON.stringify(body));
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', text.length);
  res.end(text);
}

/** Sends plain text. */
function sendText(res: ServerResponse, status: number, text: string): void {
  const bytes = Buffer.from(text);
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

/**
 * Sends what a reply says, other than a file: nothing, text and bytes as they are, or JSON. No cache keeps it unless it
 * says so.
 */
export function sendContent(res: ServerResponse, { status, body }: Reply): void {
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  if (body === undefined) return void res.writeHead(status).end();
  if (typeof body === 'string' || body instanceof Uint8Array) return void res.writeHead(status).end(body);
  sendJson(res, status, body);
}

/** Says that a condition of a download does not hold, or that its range lies outside of the file. */
export function sendUnmet(res: ServerResponse, status: 412 | 416): void {
  sendRefusal(res, new Refusal(status === 412 ? 'PRECONDITION_FAILED' : 'RANGE_NOT_SATISFIABLE'), 'text');
}

const gitReplyEnd = ' Nothing was deployed.';

/** The contract's replies begin with their code and end with that sentence; so does a refusal with words of its own. */
function gitReply(refusal: Refusal, standard: string): string {
  if (refusal.words !== undefined) return `${refusal.code}: ${refusal.words}${gitReplyEnd}`;
  return refusalMessage(refusal, standard.slice(0, -gitReplyEnd.length)) + gitReplyEnd;
}

/** The error types of chat clients, by status. */
function chatErrorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** What a code means where that shape is spoken. Texts and pages use the words of the envelope. */
export function meaningOf(shape: ErrorShape, code: ErrorCode): { readonly status: number; readonly message: string } {
  const table: Readonly<Record<string, { readonly status: number; readonly message: string }>> =
    shape === 'ai' || shape === 'oauth' || shape === 'git' ? errors[shape] : errors.envelope;
  const meaning = table[code];
  if (!meaning) throw new Error(`${code} is no code of the shape ${shape}`);
  return meaning;
}

/** Answers a refusal in the shape that the door's clients read. */
export function sendRefusal(res: ServerResponse, refusal: Refusal, shape: ErrorShape): void {
  const { code, prefix } = refusal;
  const { status, message: standard } = meaningOf(shape, code);
  const message = refusalMessage(refusal, standard);
  if (refusal.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(refusal.retryAfterSeconds));
  if (refusal.shouldRetry === false) res.setHeader('X-Should-Retry', 'false');
  res.setHeader('Cache-Control', 'no-store');
  switch (shape) {
    case 'envelope':
      return sendJson(res, status, { status: 'error', code, message, ...(prefix !== undefined && { prefix }) });
    case 'ai':
      return sendJson(res, status, { error: { message, type: chatErrorType(status), param: null, code } });
    case 'oauth':
      return sendJson(res, status, { error: code, error_description: message });
    case 'page':
      if (refusal instanceof RefusedPage)
        for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
      if (asksForHtml(res.req.headers.accept)) {
        // What a page of its own says of itself goes before what all pages say.
        if (refusal instanceof RefusedPage)
          return sendPage(res, status, refusal.page, { ...pageHeaders, ...refusal.headers });
        // The names and values of fields are for programs.
        return sendErrorPage(res, status, refusal, refusal.words ?? standard);
      }
      return sendJson(res, status, { status: 'error', code, message });
    case 'text':
      return sendText(res, status, `${message}\n`);
    case 'git':
      if (status === 429) return sendJson(res, status, { status: 'error', code, message });
      // It ends with its sentence, without a line end.
      return sendText(res, status, gitReply(refusal, standard));
  }
}
