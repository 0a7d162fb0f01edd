/** What every page of a file request needs. */
interface RequestPageView {
  /** The raw `Accept-Language` of the sender, if any. */
  readonly acceptLanguage: string | undefined;
}

/** A file that was not stored. */
export interface RefusedFileView {
  /** The name as sent. Any text is possible. */
  readonly name: string;
  readonly code: string;
  /** In English, more precise than the text of the code. */
  readonly message: string;
}

/** The page with the form. */
export interface RequestFormView extends RequestPageView {
  /** What the owner wrote. Any text is possible. */
  readonly title: string;
  readonly note: string | null;
  /** Null without a deadline. */
  readonly deadlineAt: number | null;
  readonly now: number;
  /** Null for all types. */
  readonly extensions: readonly string[] | null;
  readonly maxFileBytes: number;
  /** What is still taken. Null for no limit. */
  readonly filesLeft: number | null;
  readonly bytesLeft: number | null;
  /** Whether the sender has to give a name. */
  readonly asksName: boolean;
  /** The name of a sender who is known. Null if none was given. */
  readonly sender: { readonly name: string | null } | undefined;
  /** Why nothing of the last form was stored. Empty before the first one. */
  readonly refused: readonly RefusedFileView[];
  /** The code of a problem with the whole form. */
  readonly problem: { readonly code: string; readonly message: string } | undefined;
  /** The relative addresses of the form, and of the page with what was sent. */
  readonly action: string;
  readonly sentUrl: string;
  readonly up: string;
}

/** The page with what a sender has sent. */
export interface SentView extends RequestPageView {
  readonly title: string;
  readonly files: ReadonlyArray<{
    readonly name: string;
    readonly sizeBytes: number;
    /** Null until it is computed. */
    readonly sha256: string | null;
    readonly receivedAt: number;
  }>;
  readonly refused: readonly RefusedFileView[];
  /** The relative addresses of the receipt and of the form. Undefined for a form that takes nothing more. */
  readonly receiptUrl: string;
  readonly formUrl: string | undefined;
}

/** A request that takes nothing. */
export interface RequestOverView extends RequestPageView {
  readonly reason: 'closed' | 'expired' | 'full' | 'not-found';
  readonly up: string;
}
