import type { SubmitFilesReply } from '#generated/router.ts';
import type { SentFile as WireSentFile } from '#generated/types.ts';
import { isFull } from '../file-request.ts';
import { noteRefused } from '../note-refused.ts';
import type { Sending } from '../place-file.ts';
import { receiveFile } from '../receive-file.ts';
import type { RefusedFile, Sender, SentFile } from '../sender.ts';
import { receiptOfSent } from '../sent-receipt.ts';
import { visitRequest, type VisitedRequest } from '../visit-request.ts';
import { cutText } from '#server/domain/cut-text.ts';
import { maxFilesOfForm } from '../limits.ts';
import { readableLine } from '#server/domain/readable-line.ts';
import { plainRefusalMessage } from '#server/domain/refusal-message.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requestFormPage } from '../pages/request-form.ts';
import type { Call, IncomingPart } from '#server/handlers/call.ts';
import { requestUrl } from './file-requests.ts';
import { requireOwnPage } from '#server/handlers/own-page.ts';
import { requestCookies } from './request-cookies.ts';
import { maxSenderCharacters, pageSender, requireName, senderActor, type PageSender } from './page-sender.ts';
import { formView, type ReceivingDeps } from './request-form-view.ts';
import { RefusedPage } from '#server/handlers/refused-page.ts';
import { success, timestamp } from '#server/handlers/wire.ts';

/** A filename that is refused may be as long as the head of its part. */
const maxShownNameBytes = 200;

/** What became of a file of a form. */
type Outcome =
  | { readonly kind: 'stored'; readonly file: SentFile }
  | { readonly kind: 'refused'; readonly name: string; readonly refusal: Refusal };

/** Receives the files of a form, one after the other. A file that is refused stops no other one. */
export async function submitFiles(deps: ReceivingDeps, link: string, call: Call): Promise<SubmitFilesReply> {
  requireOwnPage(deps.filesHost, call);
  const cookies = requestCookies(requestUrl(deps.filesHost, link));
  const visited = await visitRequest(deps, { link, pass: cookies.pass.of(call) });
  if (isFull(visited.request)) throw new Refusal('FILE_REQUEST_FULL');
  const sender = await pageSender(deps, visited.request, cookies.sender.of(call));
  const { known } = sender;
  const outcomes = await outcomesOf(deps, visited, sender, call).catch((error: unknown) => {
    throw error instanceof Refusal ? formAgain(deps, { link, visited, known, call }, error, []) : error;
  });
  const refused = outcomes.filter((one) => one.kind === 'refused');
  const stored = outcomes.flatMap((one) => (one.kind === 'stored' ? [one.file] : []));
  const [first] = refused;
  // The refusal that answers the request logs its own cause.
  for (const { refusal } of stored.length === 0 ? refused.slice(1) : refused)
    if (refusal.cause !== undefined) deps.onFault(refusal.cause);
  if (stored.length === 0)
    throw formAgain(deps, { link, visited, known, call }, first?.refusal ?? nothingChosen(), refused.map(refusedFile));
  const headers = { 'Cache-Control': 'no-store', 'Set-Cookie': cookies.sender.set(sender.secret) };
  if (call.browser.asksForHtml) {
    await noteRefused(deps, visited.request, stored[0]!.senderHash, refused.map(refusedFile));
    return { status: 303, headers: { ...headers, Location: `${requestUrl(deps.filesHost, link)}/sent` } };
  }
  const receipt = receiptOfSent(deps.secrets, visited.request, stored);
  return { ...success({ files: outcomes.map(wireOf), receipt }), headers };
}

/** @throws INVALID_SENDER_NAME, INVALID_CONTENT_TYPE, INVALID_FILE, if no file of the form was stored */
async function outcomesOf(
  deps: ReceivingDeps,
  visited: VisitedRequest,
  { known, hash }: PageSender,
  call: Call,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const begunAt = deps.clock.now();
  const common = { visited, begunAt, senderHash: hash, signal: call.signal };
  let name: string | undefined;
  try {
    for await (const part of call.parts) {
      if (!part.isFile && part.name === 'sender') name = await textOf(part, call);
      // Browsers send an empty part for a field in which nothing was chosen.
      if (part.name !== 'file' || !part.isFile || part.filename === undefined) continue;
      // One more tells that there were more. A body may have millions.
      if (outcomes.length > maxFilesOfForm) continue;
      const senderName = visited.request.hasSenderFolders ? requireName(known, name) : null;
      const actor = senderActor(call);
      outcomes.push(
        outcomes.length < maxFilesOfForm
          ? await outcomeOf(deps, { ...common, senderName, actor }, part, part.filename)
          : { kind: 'refused', name: part.filename, refusal: tooMany() },
      );
    }
  } catch (error) {
    // What is stored stays, and its sender has to learn of it.
    if (!outcomes.some(({ kind }) => kind === 'stored') || call.signal.aborted) throw error;
    if (!(error instanceof Refusal)) deps.onFault(error);
    const refusal = error instanceof Refusal ? error : new Refusal('UPLOAD_FAILED');
    outcomes.push({ kind: 'refused', name: '…', refusal });
  }
  return outcomes;
}

async function outcomeOf(
  deps: ReceivingDeps,
  sending: Sending,
  part: IncomingPart,
  filename: string,
): Promise<Outcome> {
  try {
    const file = await receiveFile(deps, sending, { filename, bytes: part.bytes });
    deps.noteStored(file.sizeBytes);
    return { kind: 'stored', file };
  } catch (error) {
    // A body that broke off has no further files.
    if (!(error instanceof Refusal) || isOfBody(error)) throw error;
    return { kind: 'refused', name: filename, refusal: error };
  }
}

function isOfBody({ code }: Refusal): boolean {
  return code === 'INVALID_FILE' || code === 'INVALID_CONTENT_TYPE';
}

/** Reads a short text. What is longer than any name is cut. */
async function textOf({ bytes }: IncomingPart, { keep }: Call): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    if (sizeBytes > maxSenderCharacters * 8) continue;
    sizeBytes += chunk.length;
    keep(chunk.length);
    chunks.push(Buffer.from(chunk)); // copied, because the next chunk ends this one
  }
  return Buffer.concat(chunks).toString();
}

function nothingChosen(): Refusal {
  return new Refusal('INVALID_FILE', { message: 'The form has no file. Choose at least one, then send it again.' });
}

function tooMany(): Refusal {
  return new Refusal('INVALID_FILE', {
    message: `One form takes up to ${maxFilesOfForm} files. Send this one with another form.`,
  });
}

/** Returns a refusal that shows a person the form again, with the reasons. */
function formAgain(
  { clock }: ReceivingDeps,
  at: {
    readonly link: string;
    readonly visited: VisitedRequest;
    readonly known: Sender | undefined;
    readonly call: Call;
  },
  refusal: Refusal,
  refused: readonly RefusedFile[],
): Refusal {
  const { link, visited, known: sender, call } = at;
  if (!call.browser.asksForHtml) return refusal;
  const view = formView(visited, { link, acceptLanguage: call.browser.acceptLanguage, sender, now: clock.now() });
  const problem = refused.length > 0 ? undefined : { code: refusal.code, message: plainRefusalMessage(refusal) };
  const { page, headers } = requestFormPage({ ...view, refused, problem });
  return new RefusedPage(refusal, page, headers);
}

function refusedFile({ name, refusal }: Extract<Outcome, { kind: 'refused' }>): RefusedFile {
  return {
    name: cutText(readableLine(name), maxShownNameBytes),
    code: refusal.code,
    message: plainRefusalMessage(refusal),
  };
}

function wireOf(outcome: Outcome): WireSentFile {
  if (outcome.kind === 'refused') {
    const { name, code, message } = refusedFile(outcome);
    return { name, code: code as NonNullable<WireSentFile['code']>, message };
  }
  const { name, sizeBytes: size, sha256, receivedAt } = outcome.file;
  return { name, size, ...(sha256 !== null && { sha256 }), received_at: timestamp(receivedAt) };
}
