import { finding } from '#server/http/operation.ts';
import type { SharesHandlers, OpenShareReply, SubmitSharePasswordReply } from '#generated/router.ts';
import type { ReplyHeaders } from '#server/http/reply.ts';
import type { Representation } from '#server/http/send-representation.ts';
import type { OpenShareData, SubmitSharePasswordData } from '#generated/types.ts';
import { kindOf } from '#server/features/files/file-kind.ts';
import { servedType } from '#server/features/files/file-type.ts';
import { publicUrl } from '#server/features/files/public-url.ts';
import { openContent } from '#server/domain/contents/read-content.ts';
import { servingOf, type Serving } from '#server/features/files/serving.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import { beginAnswer, downloaderOf, type CountedAnswer } from '../byte-budget.ts';
import { requireUnlockable, unlockShare } from '../unlock-share.ts';
import { openShare, type OpenedShare } from '../open-share.ts';
import type { PasswordTries } from '#server/features/shares/password-tries.ts';
import { endOf, opensByForm } from '../share.ts';
import { addressBucket } from '#server/http/client-address.ts';
import { parseRange } from '#server/http/range.ts';
import { cardPage } from '../pages/share-card.ts';
import { landingPage } from '../pages/share-landing.ts';
import { previewHeaders, previewKindOf } from '../pages/share-preview.ts';
import type { PreviewKind, ShareCardView, ShareFileView } from '../pages/share-view.ts';
import type { ArchiveCache } from '../current-archive.ts';
import { bundleAnswer, formOf, shown, type Shown } from './bundle-delivery.ts';
import type { Call } from '#server/handlers/call.ts';
import { linkedRepresentation } from '#server/features/files/handlers/file-representation.ts';
import { servedElsewhere, type ElsewhereDeps } from '#server/features/files/handlers/served-elsewhere.ts';
import {
  parametersOf,
  type FileVariants,
  type VariantParameters,
} from '#server/features/files/handlers/file-variants.ts';
import { isLinkPreviewRobot } from './link-preview-robots.ts';
import { requireOwnPage } from '#server/handlers/own-page.ts';
import { sharePassCookie } from './share-pass-cookie.ts';
import type { Ports } from '#server/handlers/ports.ts';
import {
  countedRepresentation,
  goesOn,
  isFurtherPart,
  noteUnlessHead,
  rangeOf,
  type CountedDeps,
  type OpeningForm,
} from './share-bytes.ts';
import { downloadReceipt } from '#server/features/files/handlers/receipts.ts';
import { refusingSharePage } from './share-refusals.ts';
import { shareUrl, type ForVisitors } from './shares.ts';

interface Deps extends CountedDeps, ElsewhereDeps, Pick<Ports, 'blobs' | 'filesHost' | 'publicHost' | 'scrypt'> {
  readonly hashing: HashQueue;
  readonly tries: PasswordTries;
  readonly archives: ArchiveCache;
  /** Undefined if the server makes none. */
  readonly variants: FileVariants | undefined;
}

type OpenInput = Pick<OpenShareData, 'path'> & { readonly query: NonNullable<OpenShareData['query']> };
type FormInput = Pick<SubmitSharePasswordData, 'path' | 'body'> & {
  readonly query: NonNullable<SubmitSharePasswordData['query']>;
};

/** A visit of a link: by its address, or by the form of its page. */
interface Visit {
  readonly shareId: string;
  /** The full address of the link. */
  readonly url: string;
  readonly query: NonNullable<OpenShareData['query']>;
  /** Proves that the password was given. */
  readonly pass: string | undefined;
  readonly form: OpeningForm | undefined;
}

/** What a visitor gets: a page or a file, or the address of a public file. */
type Answer = Shown | { readonly status: 302; readonly headers: ReplyHeaders };

/** Returns the handlers for files through share links. */
export function deliveryHandlers(deps: Deps): Pick<SharesHandlers<Call>, ForVisitors> {
  const publicOrigin = new URL(deps.publicHost).origin;
  return {
    openShare: (input, call) =>
      refusingSharePage(call, () => openedByAddress(deps, input, call), { problem: undefined, publicOrigin }),
    submitSharePassword: finding(
      ({ path }, call) => {
        const link = { shareId: path.share_id, address: addressBucket(call.client.address) };
        return refusingSharePage(call, () => requireUnlockable(deps, link), { problem: undefined, publicOrigin });
      },
      (input, call) => {
        const problem = input.body.password === undefined ? undefined : 'wrong';
        return refusingSharePage(call, () => formSent(deps, input, call), { problem, publicOrigin });
      },
    ),
  };
}

async function formSent(deps: Deps, { path, query, body }: FormInput, call: Call): Promise<SubmitSharePasswordReply> {
  const { share_id: shareId } = path;
  const { password, download, file } = body;
  requireOwnPage(deps.filesHost, call);
  const isOpening = download !== undefined || file !== undefined;
  if (password === undefined && !isOpening) throw new Refusal('SHARE_PASSWORD_REQUIRED');
  const url = shareUrl(deps.filesHost, shareId);
  const cookie = sharePassCookie(url);
  const address = addressBucket(call.client.address);
  const given = password === undefined ? undefined : await unlockShare(deps, { shareId, password, address });
  const headers = given === undefined ? {} : { 'Set-Cookie': cookie.set(given) };
  if (isOpening) {
    const visit = { shareId, url, query: {}, pass: given ?? cookie.of(call), form: { file } };
    const shown = await answer(deps, visit, call);
    const all = { ...shown.headers, ...headers };
    // A browser gets the file with GET, also after a form.
    return shown.status === 302 ? { status: 303, headers: all } : { ...shown, headers: all };
  }
  // Repeats the query of the request that led to the form.
  const location = query.download === '1' ? `${url}?download=1` : url;
  return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } };
}

function openedByAddress(deps: Deps, { path, query }: OpenInput, call: Call): Promise<OpenShareReply> {
  const url = shareUrl(deps.filesHost, path.share_id);
  const pass = sharePassCookie(url).of(call);
  return answer(deps, { shareId: path.share_id, url, query, pass, form: undefined }, call);
}

async function answer(deps: Deps, { shareId, url, query, pass, form }: Visit, call: Call): Promise<Answer> {
  const isRobot = isLinkPreviewRobot(call.client.userAgent);
  const opened = await openShare(deps, { shareId, downloader: downloaderOf(call.client), pass, isRobot });
  if (!opened.object) return bundleAnswer(deps, opened.share, { url, query, isRobot, form }, call);
  const view = viewOf(deps, opened, url, call);
  const { acceptLanguage } = view;
  const note = (isDownload: boolean) => noteUnlessHead(deps, opened.share, isDownload, call);
  // A robot opens a link without its password, so it sees the file of no such link.
  const maySee = !isRobot || opened.share.passwordHash === null;
  if (maySee && query.preview === '1' && view.preview)
    return { status: 200, body: previewOf(deps, opened, view.preview.kind) };
  if (isRobot) return shown(cardPage({ acceptLanguage, url, ...cardOf(view, url) }));
  if (!form && (await showsLanding(deps, opened, query, call))) {
    // A download is continued at the address of the file. The page would only offer a new one.
    if (view.remainingDownloads === 0) throw new Refusal('SHARE_EXHAUSTED');
    note(false);
    return shown(landingPage(view));
  }
  const variant = await sharedVariant(deps, opened, parametersOf(query), { url, accept: call.asks.accept });
  // A capped link notes its downloads with their count. A further part of the same download is none.
  if (opened.share.maxDownloads === null && !isFurtherPart(rangeOf(call, form))) note(true);
  if (variant) return { status: 200, body: variant };
  return opened.isPublic ? redirect(deps, opened, form, call) : { status: 200, body: fileOf(deps, opened, form, call) };
}

/** Whether a request that no form sent gets the page before the file. */
async function showsLanding(
  deps: Deps,
  { share, object, content }: OpenedShare,
  query: Visit['query'],
  call: Call,
): Promise<boolean> {
  if (!opensByForm(share)) return share.hasLanding && call.browser.asksForHtml && query.download !== '1';
  const { idHash } = share;
  return !(await goesOn(deps, { idHash, downloader: downloaderOf(call.client), content }, object.sizeBytes, call));
}

function viewOf(deps: Deps, { share, object, isPublic }: OpenedShare, url: string, { browser }: Call): ShareFileView {
  const { filename: name, contentType } = servingOf(object);
  const file = { contentType, sizeBytes: object.sizeBytes, remainingDownloads: share.remainingDownloads };
  const preview = isPublic || servedType(object.key).isAttachment ? undefined : previewKindOf(file);
  return {
    ...file,
    acceptLanguage: browser.acceptLanguage,
    name,
    kind: kindOf({ name, contentType }),
    sha256: object.sha256,
    expiresAt: endOf(share, object),
    now: deps.clock.now(),
    hasPassword: share.passwordHash !== null,
    title: share.title,
    message: share.message,
    downloadUrl: '?download=1',
    form: formOf(share, url),
    publicOrigin: isPublic ? new URL(deps.publicHost).origin : undefined,
    preview: preview && { kind: preview, url: '?preview=1' },
  };
}

/** A file with a password shows nothing of itself. */
function cardOf(view: ShareFileView, url: string): Pick<ShareCardView, 'file' | 'imageUrl'> {
  if (view.hasPassword) return { file: undefined, imageUrl: undefined };
  return { file: view, imageUrl: view.preview?.kind === 'image' ? url + view.preview.url : undefined };
}

function fileOf(deps: Deps, opened: OpenedShare, form: OpeningForm | undefined, call: Call): Representation {
  const { contentType, filename } = servingOf(opened.object);
  const plain = linkedFile(deps, opened, { contentType, disposition: 'attachment', filename });
  const { share, object, content } = opened;
  const file = { ...plain, headers: { ...plain.headers, ...downloadReceipt(deps, object) } };
  if (share.maxDownloads === null)
    return servedElsewhere(deps, content, file, { endsAt: endOf(share, object), cacheControl: 'no-store' });
  // The store would count no bytes, and its address could be used again.
  return countedRepresentation(deps, file, countedAnswer(opened, form, call), call);
}

/** Returns the variant of the file that a visit asks for. @throws the errors of FileVariants */
async function sharedVariant(
  deps: Deps,
  opened: OpenedShare,
  parameters: VariantParameters,
  { url, accept }: { readonly url: string; readonly accept: string | undefined },
): Promise<Representation | undefined> {
  if (!deps.variants?.areRequested(parameters)) return undefined;
  const { share, object, content } = opened;
  const serving: Serving = { ...servingOf(object), disposition: 'attachment' };
  return deps.variants.of({
    accountId: object.accountId,
    address: url,
    parameters,
    accept,
    isCapped: share.maxDownloads !== null,
    content,
    file: linkedFile(deps, opened, serving),
    serving,
  });
}

function countedAnswer(
  { share: { idHash, object }, content }: OpenedShare,
  form: OpeningForm | undefined,
  { client, asks }: Call,
): CountedAnswer {
  const isRanged = rangeOf({ asks }, form) !== undefined;
  const isForm = form !== undefined;
  return { accountId: object.accountId, idHash, downloader: downloaderOf(client), content, isRanged, isForm };
}

/** Returns the preview of a file. Only links without a cap have previews, so it counts no download. */
function previewOf(deps: Deps, opened: OpenedShare, kind: PreviewKind): Representation {
  const { contentType, filename } = servingOf(opened.object);
  const file = linkedFile(deps, opened, { contentType, disposition: 'inline', filename });
  return { ...file, headers: { ...file.headers, ...previewHeaders(kind) } };
}

function linkedFile(
  deps: Deps,
  { object, content }: Pick<OpenedShare, 'object' | 'content'>,
  serving: Serving,
): Representation {
  return linkedRepresentation(object, serving, (range) => openContent(deps, content, range));
}

/** The server does not see the download behind the redirect, so the whole requested range counts as sent. */
async function redirect(deps: Deps, opened: OpenedShare, form: OpeningForm | undefined, call: Call): Promise<Answer> {
  const { share, object, content } = opened;
  if (share.maxDownloads !== null && !call.asks.isHead) {
    const range = parseRange(rangeOf(call, form), content.sizeBytes);
    const lengthBytes = range.kind === 'single' ? range.end - range.start + 1 : content.sizeBytes;
    await beginAnswer(deps, countedAnswer(opened, form, call), lengthBytes, lengthBytes);
  }
  return { status: 302, headers: { Location: publicUrl(deps.publicHost, object)!, 'Cache-Control': 'no-store' } };
}
