/** The kind of a file, for its icon and its name. */
export type FileKind =
  | 'image'
  | 'audio'
  | 'video'
  | 'pdf'
  | 'text'
  | 'archive'
  | 'document'
  | 'sheet'
  | 'slides'
  | 'file';

/** Error codes that have no page of their own. */
export type PageCode =
  | 'ACCESS_DENIED'
  | 'APIKEY_LIMIT_REACHED'
  | 'BODY_TOO_LARGE'
  | 'INTERNAL_SERVER_ERROR'
  | 'INVALID_BODY'
  | 'INVALID_FORM_TOKEN'
  | 'INVALID_USER_CODE'
  | 'METHOD_NOT_ALLOWED'
  | 'MISSING_SCOPE'
  | 'NOT_FOUND'
  | 'RATE_LIMITED'
  | 'SHARE_EXHAUSTED'
  | 'SHARE_EXPIRED'
  | 'SHARE_NOT_FOUND'
  | 'SHARE_PASSWORD_REQUIRED'
  | 'STORAGE_UNAVAILABLE';

/** A heading and the text below it. */
export interface Saying {
  readonly title: string;
  readonly text: string;
}

/** Singular and plural of a count. `{count}` is the number. */
export interface Counted {
  readonly one: string;
  readonly other: string;
}

/** All page texts in one language. */
export interface Words {
  /** The language with its region, for numbers and dates. */
  readonly locale: string;
  /** Prefix of the title of a page with a problem. */
  readonly problem: string;
  readonly back: string;
  readonly kinds: Readonly<Record<FileKind, string>>;
  readonly landing: {
    readonly intro: string;
    readonly download: string;
    /** For files that the browser shows in their own window. */
    readonly view: string;
    /** For screen readers. `{name}` is the file's name. */
    readonly previewOf: string;
    readonly expires: string;
    /** `{when}` is date and time. */
    readonly exactly: string;
    readonly downloads: string;
    readonly downloadsLeft: Counted;
    readonly checksum: string;
    readonly checksumHint: string;
    readonly caution: string;
  };
  readonly password: {
    readonly title: string;
    readonly text: string;
    readonly label: string;
    readonly hint: string;
    readonly open: string;
    readonly wrong: string;
    /** Followed by the time of the next attempt. */
    readonly tooMany: string;
  };
  readonly over: Readonly<Record<'exhausted' | 'expired' | 'not-found', Saying>>;
  /** The card of a file that must not be named. */
  readonly hiddenCard: Saying;
  /** On a card, for people whose app was taken for a robot. `open` leads to the link. */
  readonly cardForPeople: { readonly text: string; readonly open: string };
  readonly failure: {
    readonly title: string;
    readonly tooMany: string;
    /** `{when}` is a time from now. */
    readonly tryAgain: string;
    readonly reasons: Readonly<Record<PageCode, string>>;
  };
}
