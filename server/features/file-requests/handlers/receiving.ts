import { finding } from '#server/http/operation.ts';
import type {
  GetSentReceiptReply,
  OpenFileRequestReply,
  FileRequestsHandlers,
  ShowSentFilesReply,
  SubmitRequestPasswordReply,
} from '#generated/router.ts';
import { isFull, stateOf } from '../file-request.ts';
import { findSender } from '../sender.ts';
import { receiptOfSent, sentFiles } from '../sent-receipt.ts';
import { requireUnlockable, unlockRequest } from '../unlock-request.ts';
import { visitRequest } from '../visit-request.ts';
import { addressBucket } from '#server/http/client-address.ts';
import { pageHeaders, type RenderedPage } from '#server/pages/layout.ts';
import { requestFormPage } from '../pages/request-form.ts';
import { requestOverPage } from '../pages/request-over.ts';
import { sentPage } from '../pages/request-sent.ts';
import type { Call } from '#server/handlers/call.ts';
import { requestUrl, type ForOwners } from './file-requests.ts';
import { requireOwnPage } from '#server/handlers/own-page.ts';
import { requestCookies } from './request-cookies.ts';
import { formView, type ReceivingDeps } from './request-form-view.ts';
import { refusingRequestPage } from './request-refusals.ts';
import { sentUploadsHandlers } from './sent-uploads.ts';
import { submitFiles } from './submitted-files.ts';

/** Returns the handlers of the pages at which others send files. */
export function receivingHandlers(deps: ReceivingDeps): Omit<FileRequestsHandlers<Call>, ForOwners> {
  return {
    openFileRequest: ({ path: { request_token: link } }, call) =>
      refusingRequestPage(call, { link, below: 0 }, () => formPage(deps, link, call)),
    submitFiles: ({ path: { request_token: link } }, call) =>
      refusingRequestPage(call, { link, below: 0 }, () => submitFiles(deps, link, call)),
    submitRequestPassword: finding(
      ({ path: { request_token: link } }, call) => {
        const entry = { link, address: addressBucket(call.client.address) };
        return refusingRequestPage(call, { link, below: 1 }, () => requireUnlockable(deps, entry));
      },
      ({ path: { request_token: link }, body: { password } }, call) =>
        refusingRequestPage(call, { link, below: 1, isAttempt: true }, () => passwordGiven(deps, link, password, call)),
    ),
    showSentFiles: ({ path: { request_token: link } }, call) =>
      refusingRequestPage(call, { link, below: 1 }, () => sentFilesPage(deps, link, call)),
    getSentReceipt: ({ path: { request_token: link } }, call) =>
      refusingRequestPage(call, { link, below: 1 }, () => receipt(deps, link, call)),
    ...sentUploadsHandlers(deps),
  };
}

/** Returns a page that is the answer of a GET request. */
function shown({ page, headers }: RenderedPage) {
  return { status: 200 as const, body: page, headers };
}

async function formPage(deps: ReceivingDeps, link: string, call: Call): Promise<OpenFileRequestReply> {
  const cookies = requestCookies(requestUrl(deps.filesHost, link));
  const visited = await visitRequest(deps, { link, pass: cookies.pass.of(call) });
  const { acceptLanguage } = call.browser;
  if (isFull(visited.request)) return shown(requestOverPage({ acceptLanguage, reason: 'full', up: '../' }));
  const sender = await findSender(deps.metadata.read, deps.secrets, visited.request.id, cookies.sender.of(call));
  return shown(requestFormPage(formView(visited, { link, acceptLanguage, sender, now: deps.clock.now() })));
}

async function passwordGiven(
  deps: ReceivingDeps,
  link: string,
  password: string,
  call: Call,
): Promise<SubmitRequestPasswordReply> {
  requireOwnPage(deps.filesHost, call);
  const pass = await unlockRequest(deps, { link, password, address: addressBucket(call.client.address) });
  const url = requestUrl(deps.filesHost, link);
  const cookie = pass === undefined ? {} : { 'Set-Cookie': requestCookies(url).pass.set(pass) };
  return { status: 303, headers: { Location: url, 'Cache-Control': 'no-store', ...cookie } };
}

async function sentFilesPage(deps: ReceivingDeps, link: string, call: Call): Promise<ShowSentFilesReply> {
  const secret = requestCookies(requestUrl(deps.filesHost, link)).sender.of(call);
  const { request, sender, files } = await sentFiles(deps, { link, secret });
  const isOpen = stateOf(request, deps.clock.now()) === 'open' && !isFull(request);
  const { acceptLanguage } = call.browser;
  return shown(
    sentPage({
      acceptLanguage,
      title: request.title,
      files,
      refused: sender.refused,
      receiptUrl: 'receipt',
      formUrl: isOpen ? `../${link}` : undefined,
    }),
  );
}

async function receipt(deps: ReceivingDeps, link: string, call: Call): Promise<GetSentReceiptReply> {
  const secret = requestCookies(requestUrl(deps.filesHost, link)).sender.of(call);
  const { request, files } = await sentFiles(deps, { link, secret });
  return {
    status: 200,
    body: `${receiptOfSent(deps.secrets, request, files)}\n`,
    headers: {
      ...pageHeaders,
      'Content-Type': 'application/jose',
      'Content-Disposition': 'attachment; filename="receipt.jws"',
    },
  };
}
