import { filled } from '#server/pages/formats.ts';
import { html, type Html } from '#server/pages/html.ts';
import type { PageSource } from '#server/pages/layout.ts';
import type { PreviewKind, ShareFileView } from './share-view.ts';
import { shownName } from '#server/pages/shown-name.ts';
import type { Messages } from '#server/pages/messages/messages.ts';

/** Types that browsers show without running code. SVG and HTML are not among them. */
const kindsOfTypes: ReadonlyArray<readonly [PreviewKind, RegExp]> = [
  ['image', /^image\/(png|jpeg|gif|webp|avif)$/],
  ['audio', /^audio\/(mpeg|mp4|aac|ogg|opus|wav|x-wav|webm|flac|x-flac)$/],
  ['video', /^video\/(mp4|webm|ogg)$/],
  ['pdf', /^application\/pdf$/],
  ['text', /^text\/(plain|csv|markdown)$|^application\/json$/],
];

const mebibyte = 1024 * 1024;

/** Pictures and texts load fully with the page, so they have a limit. Audio and video load only while they play. */
const maxSizeBytes: Readonly<Record<PreviewKind, number>> = {
  image: 20 * mebibyte,
  text: mebibyte / 4,
  pdf: Infinity,
  audio: Infinity,
  video: Infinity,
};

/**
 * Returns the preview kind of a file for its landing page. A file with a download cap has none: a preview that counts
 * no download would bypass the cap.
 */
export function previewKindOf({
  contentType,
  sizeBytes,
  remainingDownloads,
}: Pick<ShareFileView, 'contentType' | 'sizeBytes' | 'remainingDownloads'>): PreviewKind | undefined {
  if (remainingDownloads !== null) return undefined;
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const kind = kindsOfTypes.find(([, pattern]) => pattern.test(type))?.[0];
  return kind !== undefined && sizeBytes > 0 && sizeBytes <= maxSizeBytes[kind] ? kind : undefined;
}

/**
 * Returns additional headers of a preview. Only this host's pages may embed it, and its sandbox runs nothing. Texts are
 * always sent as plain text.
 */
export function previewHeaders(kind: PreviewKind): Readonly<Record<string, string>> {
  return {
    ...(kind === 'text' && { 'Content-Type': 'text/plain; charset=utf-8' }),
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'self'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  };
}

/**
 * Sources that the landing page may load for a preview, besides pictures. A PDF opens in its own window, because phones
 * cannot show it within a page.
 */
export const previewSources: Readonly<Record<PreviewKind, PageSource | undefined>> = {
  image: undefined,
  audio: 'media-src',
  video: 'media-src',
  text: 'frame-src',
  pdf: undefined,
};

/** Renders the preview within the page. */
export function previewOf(
  { name, preview }: Pick<ShareFileView, 'name' | 'preview'>,
  messages: Messages,
): Html | undefined {
  if (!preview) return undefined;
  const { kind, url } = preview;
  const title = filled(messages.landing.previewOf, { name: shownName(name) });
  switch (kind) {
    case 'image':
      return html`<p class="preview"><img src="${url}" alt="${title}" /></p>`;
    case 'audio':
      return html`<p class="preview">
        <audio controls preload="metadata" src="${url}" aria-label="${title}"></audio>
      </p>`;
    case 'video':
      return html`<p class="preview">
        <video controls playsinline preload="metadata" src="${url}" aria-label="${title}"></video>
      </p>`;
    case 'text':
      return html`<p class="preview"><iframe sandbox title="${title}" src="${url}"></iframe></p>`;
    case 'pdf':
      return undefined;
  }
}
