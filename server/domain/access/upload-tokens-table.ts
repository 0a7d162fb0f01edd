import type { UploadToken } from './upload-token.ts';

interface UploadTokensReader {
  /** Finds a token in any state. */
  findByHash(hash: Uint8Array): Promise<UploadToken | undefined>;
  find(tokenId: string): Promise<UploadToken | undefined>;
}

export interface UploadTokensTable extends UploadTokensReader {
  /** @param hash the keyed hash of its secret */
  add(token: UploadToken, hash: Uint8Array): Promise<void>;
  /** Spends a use. Returns false, and changes nothing, when none is left. */
  spend(tokenId: string): Promise<boolean>;
  /** Reserves a use for an upload under way. Returns false, and changes nothing, when none is left. */
  reserve(tokenId: string): Promise<boolean>;
  /** Spends a use that this process has reserved. Returns false, and changes nothing, when the use was given back. */
  spendReserved(tokenId: string): Promise<boolean>;
  /** Whether no use is left, and no process has one reserved. */
  isUsedUp(tokenId: string): Promise<boolean>;
  /** Gives back a use that this process has reserved. Does nothing when it was given back before. */
  returnReserved(tokenId: string): Promise<void>;
  /** Ends all tokens that this key has minted. May be called twice. */
  endThoseOf(keyId: string, now: number): Promise<void>;
  /** Removes up to `limit` tokens that expired before `instant` and have no chunked upload. Returns how many. */
  forgetExpiredBefore(instant: number, limit: number): Promise<number>;
  /** Gives back the uses that a process has reserved, or that all of them have. Returns how many. */
  returnAllReserved(owner?: string): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly uploadTokens: UploadTokensReader;
  }
  interface Tables {
    readonly uploadTokens: UploadTokensTable;
  }
}
