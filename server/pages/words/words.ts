/** What kind of file it is, for its icon and in a word. */
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

/** The codes that a page without words of its own may have to tell. */
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

/** A heading and what stands below it. */
export interface Saying {
  readonly title: string;
  readonly text: string;
}

/** A count in words; `{count}` is the number. */
export interface Counted {
  readonly one: string;
  readonly other: string;
}

/** All that pages say in one language. */
export interface Words {
  /** The language with its region, for the page and for numbers and dates. */
  readonly locale: string;
  /** Before the title of a page that tells what went wrong. */
  readonly problem: string;
  readonly back: string;
  readonly kinds: Readonly<Record<FileKind, string>>;
  readonly landing: {
    readonly intro: string;
    readonly download: string;
    /** Of files that the browser shows in a window of its own. */
    readonly view: string;
    /** For those who hear the page; `{name}` is the file's. */
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
    /** Before words that say when to try again. */
    readonly tooMany: string;
  };
  readonly over: Readonly<Record<'exhausted' | 'expired' | 'not-found', Saying>>;
  /** A card that may not say what it is about. */
  readonly hiddenCard: Saying;
  /** On a card, for a person whose app was taken for a robot; `open` leads to the link. */
  readonly cardForPeople: { readonly text: string; readonly open: string };
  readonly failure: {
    readonly title: string;
    readonly tooMany: string;
    /** `{when}` is a time from now. */
    readonly tryAgain: string;
    readonly reasons: Readonly<Record<PageCode, string>>;
  };
}
