/** What can be shown of a file within its landing page. */
export type PreviewKind = 'image' | 'audio' | 'video' | 'pdf' | 'text';

/** What every page of a share link needs. */
export interface SharePageView {
  /** The raw `Accept-Language` of the visitor; undefined when there is none. */
  readonly acceptLanguage: string | undefined;
}

/** The file of a link as its landing page and its card show it. */
export interface ShareFileView extends SharePageView {
  /** As uploaded: anything that a person may have typed. */
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Lowercase hex; null until it is known. */
  readonly sha256: string | null;
  /** When the link gives the file no longer. */
  readonly expiresAt: number;
  /** The instant of the request, for relative times. */
  readonly now: number;
  /** Null for a link without a cap. */
  readonly remainingDownloads: number | null;
  readonly hasPassword: boolean;
  /** Where the bytes are; relative to the address of the page. */
  readonly downloadUrl: string;
  /**
   * What to show of the file and from where, relative; undefined when there is none: capped links have no preview, as it would
   * be a download. `previewKindOf()` in share-preview.ts decides it, and `previewHeaders()` go with the bytes.
   */
  readonly preview: { readonly kind: PreviewKind; readonly url: string } | undefined;
}

/** What a link-preview robot may show; undefined where the file has a password, of which it tells nothing. */
export interface ShareCardView extends SharePageView {
  readonly file: Pick<ShareFileView, 'name' | 'contentType' | 'sizeBytes'> | undefined;
  /** The address of the link in full, as clients see it. */
  readonly url: string;
}

/** The page with the form; it posts `password` to the address of the page. */
export interface SharePasswordView extends SharePageView {
  /** What became of the password before this, if any was sent: it was wrong, or it was not looked at and may be sent again after a while. */
  readonly problem: 'wrong' | { readonly waitSeconds: number } | undefined;
  /** The origin of public files, to which the link of one leads on; the same for all links, so that it tells nothing of this one. */
  readonly publicOrigin: string;
}

/** Why a link gives nothing. */
export interface ShareOverView extends SharePageView {
  readonly reason: 'exhausted' | 'expired' | 'not-found';
}

/** A page as it is written, and the headers that it needs (instead of `pageHeaders`), `Vary: Accept-Language` among them. */
export interface SharePage {
  /** HTML, whole. */
  readonly page: string;
  readonly headers: Readonly<Record<string, string>>;
}
