import type { Duration } from '../duration.ts';

/** What whoever minted a token has settled for its uploads; what is left out is up to the upload. */
export interface UploadPins {
  readonly name?: string;
  /** Without a trailing slash. */
  readonly prefix?: string;
  readonly isPrivate?: boolean;
  /** Only beside a name. */
  readonly securityHash?: boolean;
  /** Null keeps the files for good, whatever a rule says. */
  readonly expire?: Duration | null;
  readonly maxSizeBytes?: number;
  /** Lowercase and without a dot; an entry fits a whole suffix or its last part. */
  readonly allowedExtensions?: readonly string[];
  /** Pages from which it may be used, as browsers send them in `Origin`. */
  readonly allowedOrigins?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A short-lived credential for uploads, as it is kept: its secret is not part of it. Instants are milliseconds since the epoch. */
export interface UploadToken {
  readonly id: string;
  readonly accountId: string;
  /** The key that minted it; with it the token ends. */
  readonly keyId: string;
  readonly pins: UploadPins;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly maxUses: number;
  /** Uses that no upload has taken. */
  readonly usesLeft: number;
}
