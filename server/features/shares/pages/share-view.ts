import type { FileKind } from '#server/pages/messages/messages.ts';

export type PreviewKind = 'image' | 'audio' | 'video' | 'pdf' | 'text';

/** The fields of every page of a share link. */
interface SharePageView {
  /** The raw `Accept-Language` of the visitor, if any. */
  readonly acceptLanguage: string | undefined;
}

/** A form in place of links to the bytes. It posts `download` or `file`. */
export interface ShareForm {
  /** The address that it posts to, relative to the page. */
  readonly action: string;
}

/** What the pages of all links show. */
interface ShareLinkView extends SharePageView {
  /** When the link expires. */
  readonly expiresAt: number;
  /** The time of the request, for relative times. */
  readonly now: number;
  /** Null for a link without a download cap. */
  readonly remainingDownloads: number | null;
  readonly hasPassword: boolean;
  /** The sender's text, which may have several lines. */
  readonly message: string | null;
  /** Address of the bytes, relative to the page. Unused with a form. */
  readonly downloadUrl: string;
  /** Undefined if links open the files. */
  readonly form: ShareForm | undefined;
}

/** A link's file, for its landing page and its card. */
export interface ShareFileView extends ShareLinkView {
  /** The name as uploaded. Any text is possible. */
  readonly name: string;
  readonly kind: FileKind;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Lowercase hex. Null until it is computed. */
  readonly sha256: string | null;
  /** The sender's heading. Null for the file's name. */
  readonly title: string | null;
  /** The origin of public files, if the file is one. A form redirects there. */
  readonly publicOrigin: string | undefined;
  /**
   * The preview and its relative address. Undefined without a preview: a capped link has none, because it would be a
   * download. `previewKindOf()` in share-preview.ts decides, and the bytes need `previewHeaders()`.
   */
  readonly preview: { readonly kind: PreviewKind; readonly url: string } | undefined;
}

/** A link to several files, for its page. */
export interface BundleView extends ShareLinkView {
  /** The sender's heading, or the name of the folder. Null for neither. */
  readonly title: string | null;
  /** The files of this page. */
  readonly files: ReadonlyArray<{
    /** A path below the folder of the bundle. */
    readonly path: string;
    readonly sizeBytes: number;
    /** Its name in the parameter `file` and in the form. */
    readonly place: string;
  }>;
  /** Of all pages. */
  readonly count: number;
  readonly sizeBytes: number;
  /** The number of this page, from 1. */
  readonly page: number;
  readonly pages: number;
}

/** The data that a link-preview robot may see. `file` is undefined when the file has a password. */
export interface ShareCardView extends SharePageView {
  readonly file: Pick<ShareFileView, 'name' | 'kind' | 'sizeBytes' | 'title' | 'message'> | undefined;
  /** The full address of the link, as clients see it. */
  readonly url: string;
  /** The full address of a picture of the file. Undefined if it has none that anyone may see. */
  readonly imageUrl: string | undefined;
}

/** The password page. Its form posts `password` to the page's address. */
export interface SharePasswordView extends SharePageView {
  /**
   * The result of the previous password, if any: it was wrong, or it was not checked and may be sent again after a
   * wait.
   */
  readonly problem: 'wrong' | { readonly waitSeconds: number } | undefined;
  /** The origin of public files, where links to them redirect. It is the same for all links, so it reveals nothing. */
  readonly publicOrigin: string | undefined;
  /** The relative address that the form posts to. Default: that of the page. */
  readonly action?: string;
  /** The relative path to the root of the door. Default: one level up. */
  readonly up?: string;
}

/** A link that no longer works. */
export interface ShareOverView extends SharePageView {
  readonly reason: 'exhausted' | 'expired' | 'not-found';
}
