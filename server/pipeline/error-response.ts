import type { ServerResponse } from 'node:http';

import { errors, type ErrorCode } from '#generated/errors.ts';
import type { OperationPolicy } from './operation-policy.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refusalMessage } from '#server/domain/refusal-message.ts';
import { chatError, messagesError } from '#server/handlers/ai-error.ts';
import { RefusedPage } from '#server/handlers/refused-page.ts';
import { asksForHtml } from '#server/http/accept.ts';
import { setHeaders } from '#server/http/wire-headers.ts';
import { failurePage } from '#server/pages/failure.ts';
import { pageHeaders } from '#server/pages/layout.ts';
import { docsUrlOf } from './request-context.ts';
import { sendJson, sendPage, sendText } from './send-body.ts';

/** The format of error responses. */
export type ErrorShape = OperationPolicy['errorShape'];

/** Responds to a download whose condition does not hold, or whose range lies outside the file. */
export function sendUnmet(res: ServerResponse, status: 412 | 416): void {
  sendRefusal(res, new Refusal(status === 412 ? 'PRECONDITION_FAILED' : 'RANGE_NOT_SATISFIABLE'), 'text');
}

const gitReplyEnd = ' Nothing was deployed.';

/** Formats a reply to a git host. In the contract, these begin with their code and end with the same sentence. */
function gitReply(refusal: Refusal, standard: string): string {
  if (refusal.ownMessage !== undefined) return `${refusal.code}: ${refusal.ownMessage}${gitReplyEnd}`;
  return refusalMessage(refusal, standard.slice(0, -gitReplyEnd.length)) + gitReplyEnd;
}

/** Returns the status and the message of a code in an error format. Texts and pages use those of the envelope. */
export function meaningOf(shape: ErrorShape, code: ErrorCode): { readonly status: number; readonly message: string } {
  const table: Readonly<Record<string, { readonly status: number; readonly message: string }>> =
    shape === 'messages'
      ? errors.ai
      : shape === 'ai' || shape === 'oauth' || shape === 'git'
        ? errors[shape]
        : errors.envelope;
  const meaning = table[code];
  if (!meaning) throw new Error(`The error format ${shape} has no code ${code}.`);
  return meaning;
}

/**
 * Returns the headers that an error has in every format.
 *
 * @param docsUrl the address before `/docs`
 */
export function refusalHeaders(refusal: Refusal, docsUrl: string): Readonly<Record<string, string>> {
  const { code, retryAfterSeconds, offsetBytes, shouldRetry } = refusal;
  return {
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    ...(offsetBytes !== undefined && { 'Upload-Offset': String(offsetBytes) }),
    ...(shouldRetry === false && { 'X-Should-Retry': 'false' }),
    'Cache-Control': 'no-store',
    Link: `<${docsUrl}/docs/errors/${code.toUpperCase()}>; rel="help"`,
  };
}

/** Turns an error into a response, in the format that the door's clients read. */
export function sendRefusal(res: ServerResponse, refusal: Refusal, shape: ErrorShape): void {
  const { code, prefix } = refusal;
  const { status, message: standard } = meaningOf(shape, code);
  const message = refusalMessage(refusal, standard);
  setHeaders(res, refusalHeaders(refusal, docsUrlOf(res)));
  switch (shape) {
    case 'envelope':
      return sendJson(res, status, { status: 'error', code, message, ...(prefix !== undefined && { prefix }) });
    case 'ai':
      return sendJson(res, status, { error: chatError({ status, message, code }) });
    case 'messages':
      return sendJson(res, status, messagesError({ status, message, code }));
    case 'oauth':
      return sendJson(res, status, { error: code, error_description: message });
    case 'page':
      if (refusal instanceof RefusedPage) setHeaders(res, refusal.headers);
      if (asksForHtml(res.req.headers.accept)) {
        // The page's own headers replace those of all pages.
        if (refusal instanceof RefusedPage)
          return sendPage(res, status, refusal.page, { ...pageHeaders, ...refusal.headers });
        // The names and values of fields are for programs.
        return sendErrorPage(res, status, refusal, refusal.ownMessage ?? standard);
      }
      return sendJson(res, status, { status: 'error', code, message });
    case 'text':
      return sendText(res, status, `${message}\n`);
    case 'git':
      if (status === 429) return sendJson(res, status, { status: 'error', code, message });
      return sendText(res, status, gitReply(refusal, standard));
  }
}

/**
 * Sends a plain page in the visitor's language: what happened and what to do next. After a form, it links back to the
 * form.
 */
function sendErrorPage(
  res: ServerResponse,
  status: number,
  { code, ownMessage, retryAfterSeconds }: Refusal,
  message: string,
): void {
  const [, ...segments] = (res.req.url ?? '/').split('?')[0]!.split('/');
  const { page, headers } = failurePage({
    acceptLanguage: res.req.headers['accept-language'],
    code,
    message,
    isSpecific: ownMessage !== undefined,
    retryAfterSeconds,
    back: res.req.method === 'POST' ? segments.at(-1)! : undefined,
    up: '../'.repeat(Math.max(0, segments.length - 1)),
  });
  sendPage(res, status, page, headers);
}
