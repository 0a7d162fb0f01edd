import type { Caller } from '#server/domain/access/caller.ts';
import type { IncomingBytes } from '#server/domain/chunked/put-part.ts';
import type { IncomingFile } from '#server/domain/objects/upload-object.ts';
import type { FormSource } from '#server/http/same-origin.ts';

/** What a handler knows of the request beside its validated input. */
export interface Call {
  /** Who sends it; asking for it in an operation without credentials is a fault. */
  readonly caller: Caller;
  /** Where the request comes from. */
  readonly origin: {
    readonly address: string;
    /** What the client calls itself, as it came; null when it does not. */
    readonly userAgent: string | null;
  };
  /** What a browser sends along, for pages. */
  readonly browser: FormSource & { readonly cookies: ReadonlyMap<string, string>; readonly asksForHtml: boolean; readonly acceptLanguage: string | undefined };
  /** What it asks of a file, beside its input. */
  readonly asks: { readonly isHead: boolean; readonly range: string | undefined };
  /** The one file of a multipart operation; asking for it elsewhere is a fault. */
  readonly file: IncomingFile;
  /** The body of an operation that takes bytes as they are; asking for it elsewhere is a fault. */
  readonly bytes: IncomingBytes;
  /** Aborted when the client goes away before the answer is out. */
  readonly signal: AbortSignal;
}
