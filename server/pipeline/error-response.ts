import type { ServerResponse } from 'node:http';

import { errors, type ErrorCode, type ErrorShape } from '#generated/errors.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refusalMessage } from '#server/domain/refusal-message.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';
import { RefusedPage } from '#server/handlers/refused-page.ts';
import { asksForHtml } from '#server/http/accept.ts';
import { setHeaders } from '#server/http/wire-headers.ts';
import { failurePage } from '#server/pages/failure.ts';
import { pageHeaders } from '#server/pages/layout.ts';
import { docsUrlOf } from './request-context.ts';
import { sendJson, sendPage, sendText } from './send-body.ts';

/** Responds to a download whose condition does not hold, or whose range lies outside the file. */
export function sendUnmet(res: ServerResponse, status: 412 | 416): void {
  sendRefusal(res, new Refusal(status === 412 ? 'PRECONDITION_FAILED' : 'RANGE_NOT_SATISFIABLE'), 'text');
}

interface Meaning {
  readonly status: number;
  readonly message: string;
}

/** Returns the codes of an error format. Texts and pages have those of the envelope. */
function codesOf(shape: ErrorShape): Readonly<Record<string, Meaning>> {
  if (shape === 'messages' || shape === 'ai-by-client') return errors.ai;
  return shape in errors ? errors[shape as keyof typeof errors] : errors.envelope;
}

/** Whether an error format has a code. */
export function hasCode(shape: ErrorShape, code: string): boolean {
  return code in codesOf(shape);
}

/** Returns the status and the message of a code in an error format. */
export function meaningOf(shape: ErrorShape, code: ErrorCode): Meaning {
  const meaning = codesOf(shape)[code];
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

/**
 * Turns an error into a response, in the format that the door's clients read.
 *
 * @param forms those of the features, of which the format may be one
 */
export function sendRefusal(
  res: ServerResponse,
  refusal: Refusal,
  shape: ErrorShape,
  forms: readonly ErrorForm[] = [],
): void {
  const { code, prefix } = refusal;
  const { status, message: standard } = meaningOf(shape, code);
  const message = refusalMessage(refusal, standard);
  setHeaders(res, refusalHeaders(refusal, docsUrlOf(res)));
  switch (shape) {
    case 'envelope':
      return sendJson(res, status, { status: 'error', code, message, ...(prefix !== undefined && { prefix }) });
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
    default: {
      const body = formOf(shape, forms).bodyOf(refusal, { status, message: standard }, res.req.headers);
      return typeof body === 'string' ? sendText(res, status, body) : sendJson(res, status, body);
    }
  }
}

/** @throws if no feature has it, which is a bug */
function formOf(shape: ErrorShape, forms: readonly ErrorForm[]): ErrorForm {
  const form = forms.find((one) => one.shape === shape);
  if (!form) throw new Error(`No feature has the error format ${shape}.`);
  return form;
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
