import type { Content, ReplyHeaders } from '#server/http/reply.ts';
import type { Representation } from '#server/http/send-representation.ts';
import type { OpenShareData } from '#generated/types.ts';
import { openContent } from '#server/domain/contents/read-content.ts';
import { servingOf } from '#server/features/files/serving.ts';
import { withContent } from '#server/features/files/with-content.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { downloaderOf, hasDownload, type CountedAnswer } from '../byte-budget.ts';
import { openArchive } from '../bundle-archive.ts';
import { bundleFiles, isFileOfBundle, placeOf, type NamedFile } from '../bundle.ts';
import { currentArchive, type ArchiveCache } from '../current-archive.ts';
import { findBundleFile } from '../find-bundle-file.ts';
import { endOf, opensByForm, type Share } from '../share.ts';
import type { RenderedPage } from '#server/pages/layout.ts';
import { bundlePage } from '../pages/share-bundle.ts';
import { cardPage } from '../pages/share-card.ts';
import type { BundleView, ShareForm } from '../pages/share-view.ts';
import type { Call } from '#server/handlers/call.ts';
import { linkedRepresentation } from '#server/features/files/handlers/file-representation.ts';
import { downloadReceipt } from '#server/features/files/handlers/receipts.ts';
import { servedElsewhere, type ElsewhereDeps } from '#server/features/files/handlers/served-elsewhere.ts';
import {
  countedRepresentation,
  goesOn,
  isFurtherPart,
  noteUnlessHead,
  rangeOf,
  type CountedDeps,
  type OpeningForm,
} from './share-bytes.ts';

interface Deps extends CountedDeps, ElsewhereDeps {
  readonly blobs: BlobStore;
  readonly archives: ArchiveCache;
}

interface Visit {
  /** The full address of the link. */
  readonly url: string;
  readonly query: NonNullable<OpenShareData['query']>;
  /** Whether a robot asks, which makes a preview of the link. */
  readonly isRobot: boolean;
  readonly form: OpeningForm | undefined;
}

/** Files on a page. */
const filesOnPage = 500;

/** The name of an archive whose link has neither a title nor a folder. */
const plainName = 'files';

/** Names what single files of a bundle are counted against, whatever its state. */
const singleFiles = 'files';

/** A page or a file, for a visitor of a link. */
export interface Shown {
  readonly status: 200;
  readonly body: Content;
  readonly headers?: ReplyHeaders;
}

/** Returns the form that opens a link, if only a form does. */
export function formOf(share: Share, url: string): ShareForm | undefined {
  return opensByForm(share) ? { action: url.slice(url.lastIndexOf('/') + 1) } : undefined;
}

/** Returns a page of pages that visitors see. It depends on the visitor. */
export function shown({ page, headers }: RenderedPage): Shown {
  return { status: 200, body: page, headers: { ...headers, 'Cache-Control': 'private, no-store' } };
}

/**
 * Answers a visitor of a link to several files: with its page, one of the files, or all of them in an archive.
 *
 * @throws OBJECT_NOT_FOUND, BUNDLE_EMPTY, BUNDLE_TOO_LARGE, SHARE_EXHAUSTED
 */
export async function bundleAnswer(deps: Deps, share: Share, requested: Visit, call: Call): Promise<Shown> {
  const { url, query, isRobot, form } = requested;
  if (isRobot) return shown(await cardOf(deps, share, url, call));
  const note = (isDownload: boolean) => noteUnlessHead(deps, share, isDownload, call);
  // A capped link notes its downloads with their count. A further part of the same download is none.
  const noteDownload = () => {
    if (share.maxDownloads === null && !isFurtherPart(rangeOf(call, form))) note(true);
  };
  const body = await requestedFile(deps, share, requested, call);
  if (body) {
    noteDownload();
    return { status: 200, body };
  }
  const files = (await bundleFiles(deps, share)).filter(isFileOfBundle);
  note(false);
  const view = { page: Number(query.page ?? 1), url, call, now: deps.clock.now() };
  return shown(bundlePage(viewOf(share, files, view)));
}

/** Returns the archive or the file that a visit asks for. Undefined if it gets the page. */
async function requestedFile(
  deps: Deps,
  share: Share,
  { query, form }: Visit,
  call: Call,
): Promise<Representation | undefined> {
  const { idHash, object } = share;
  const place = form ? form.file : query.file;
  const isRanged = rangeOf(call, form) !== undefined;
  const downloader = downloaderOf(call.client);
  const mayOnlyGoOn = opensByForm(share) && !form;
  if (mayOnlyGoOn) {
    // Without a download there is nothing to go on with, so no file is looked up.
    if (!isRanged || !(await hasDownload(deps, { idHash, downloader }))) return undefined;
  } else if (!form && place === undefined && share.hasLanding && call.browser.asksForHtml && query.download !== '1')
    return undefined;
  const file = place === undefined ? await archiveOf(deps, share) : await singleFile(deps, share, place);
  if (share.maxDownloads === null) return file;
  const answer: CountedAnswer = {
    ...{ accountId: object.accountId, idHash, downloader, isForm: form !== undefined },
    // All files that a visitor takes one by one are charged to one byte budget, as if they were ranges of one file.
    ...(place === undefined
      ? { content: { id: file.etag, sizeBytes: file.sizeBytes }, isRanged }
      : { content: { id: singleFiles, sizeBytes: sizeOf(await bundleFiles(deps, share)) }, isRanged: true }),
  };
  if (mayOnlyGoOn && !(await goesOn(deps, answer, file.sizeBytes, call))) return undefined;
  return countedRepresentation(deps, file, answer, call);
}

/** A link with a password shows nothing of itself. */
async function cardOf(deps: Deps, share: Share, url: string, { browser }: Call): Promise<RenderedPage> {
  const { acceptLanguage } = browser;
  if (share.passwordHash !== null) return cardPage({ acceptLanguage, url, file: undefined, imageUrl: undefined });
  const files = await bundleFiles(deps, share);
  const { title, message } = share;
  const file = { name: archiveName(share), kind: 'archive', sizeBytes: sizeOf(files), title, message } as const;
  return cardPage({ acceptLanguage, url, file, imageUrl: undefined });
}

/** Returns the last name of the folder of a bundle, if it shares a folder. */
function folderName({ bundle, object }: Share): string | null {
  return bundle === 'folder' ? object.key.slice(0, -1).split('/').at(-1)! : null;
}

/** A title may have slashes. In a filename, browsers would drop what stands before them. */
function archiveName(share: Share): string {
  return `${(share.title ?? folderName(share) ?? plainName).replace(/[/\\]/g, '_')}.zip`;
}

function sizeOf(files: readonly NamedFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function viewOf(
  share: Share,
  files: readonly NamedFile[],
  {
    page: requested,
    url,
    call,
    now,
  }: { readonly page: number; readonly url: string; readonly call: Call; readonly now: number },
): BundleView {
  const pages = Math.max(1, Math.ceil(files.length / filesOnPage));
  const page = Math.min(requested, pages);
  return {
    acceptLanguage: call.browser.acceptLanguage,
    title: share.title ?? folderName(share),
    message: share.message,
    files: files.slice((page - 1) * filesOnPage, page * filesOnPage).map((file) => ({
      path: file.path,
      sizeBytes: file.sizeBytes,
      place: placeOf(file, share.object.key),
    })),
    count: files.length,
    sizeBytes: sizeOf(files),
    ...{ page, pages, now },
    downloadUrl: '?download=1',
    form: formOf(share, url),
    expiresAt: share.expiresAt,
    remainingDownloads: share.remainingDownloads,
    hasPassword: share.passwordHash !== null,
  };
}

/** Returns one file of a bundle. */
async function singleFile(deps: Deps, share: Share, place: string): Promise<Representation> {
  const { object, content } = await withContent(deps, async () => ({
    object: await findBundleFile(deps, share, place),
  }));
  const { contentType, filename } = servingOf(object);
  const serving = { contentType, disposition: 'attachment', filename } as const;
  const plain = linkedRepresentation(object, serving, (range) => openContent(deps, content, range));
  const file = { ...plain, headers: { ...plain.headers, ...downloadReceipt(deps, object) } };
  // The store would count no bytes of a link with a cap.
  if (share.maxDownloads !== null) return file;
  return servedElsewhere(deps, content, file, { endsAt: endOf(share, object), cacheControl: 'no-store' });
}

/** Returns all files in one archive. */
async function archiveOf(deps: Deps, share: Share): Promise<Representation> {
  const archive = await currentArchive(deps, share);
  const { sizeBytes, etag } = archive;
  const serving = { contentType: 'application/zip', disposition: 'attachment', filename: archiveName(share) } as const;
  const gone = new AbortController();
  const plain = linkedRepresentation({ sizeBytes, etag, createdAt: share.createdAt }, serving, (range) =>
    openArchive(deps, archive, range, () => gone.abort()),
  );
  // A file that is removed changes the bytes, but leaves no instant behind. So a date cannot tell states apart.
  return { ...plain, lastModifiedMs: undefined, stop: gone.signal };
}
