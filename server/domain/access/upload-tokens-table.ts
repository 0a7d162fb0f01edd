import type { UploadToken } from './upload-token.ts';

export interface UploadTokensReader {
  /** Expired and used-up tokens are found too: whoever asks decides what that means. */
  findByHash(hash: Uint8Array): Promise<UploadToken | undefined>;
  find(tokenId: string): Promise<UploadToken | undefined>;
}

export interface UploadTokensTable extends UploadTokensReader {
  /** `hash` is that of its secret, by which it is found. */
  add(token: UploadToken, hash: Uint8Array): Promise<void>;
  /** Spends a use for good; answers false, and changes nothing, when none is left. */
  spend(tokenId: string): Promise<boolean>;
  /** Takes a use for an upload under way; answers false, and changes nothing, when none is left. */
  hold(tokenId: string): Promise<boolean>;
  /** What was held is spent. */
  keepHeld(tokenId: string): Promise<void>;
  /** What was held is left again. */
  giveBackHeld(tokenId: string): Promise<void>;
  /** All that this key has minted, whatever is left of them; may be called twice. */
  endThoseOf(keyId: string, now: number): Promise<void>;
  /**
   * Removes at most `limit` that expired before an instant and that no chunked upload was opened with; answers how
   * many.
   */
  forgetExpiredBefore(instant: number, limit: number): Promise<number>;
  /**
   * At start: uses that an earlier process held for uploads that it never finished are left again; answers how many.
   */
  giveBackAllHeld(): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly uploadTokens: UploadTokensReader;
  }
  interface Tables {
    readonly uploadTokens: UploadTokensTable;
  }
}
