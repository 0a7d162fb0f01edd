import type { SigningKeys } from '#server/signature-v4/sign.ts';
import type { TransportTimeouts } from './transport.ts';

/** Where a bucket is, as the operator configures it. */
export interface BucketLocation {
  /** Scheme, host and port, without a trailing slash. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Empty, or ends in a slash. */
  readonly prefix: string;
  /** Whether the bucket is in the path (`https://host/bucket/key`) and not in the host name. */
  readonly isPathStyle: boolean;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How a bucket is reached. */
export interface BucketAddress {
  readonly origin: string;
  readonly host: string;
  /** The path of the bucket: empty, or `/bucket`. */
  readonly basePath: string;
  readonly prefix: string;
  readonly keys: SigningKeys;
}

export interface BucketOptions {
  readonly timeouts: TransportTimeouts;
  /** The pause between two probes while the bucket is down. */
  readonly probePauseMs: number;
  /** How long after a put with an unknown outcome its blob is deleted once more. */
  readonly deleteAgainMs: number;
  /** Called when the bucket goes down and when it is back. */
  readonly onDown: (isDown: boolean) => void;
}

export const standardOptions: BucketOptions = {
  timeouts: { connectMs: 3_000, answerMs: 10_000, joinedMs: 30_000, stallMs: 30_000 },
  probePauseMs: 1_000,
  deleteAgainMs: 60_000,
  onDown: () => {},
};

/** Returns how a bucket is reached. */
export function addressOf({
  endpoint,
  bucket,
  prefix,
  isPathStyle,
  region,
  accessKeyId,
  secretAccessKey,
}: BucketLocation): BucketAddress {
  const { protocol, host } = new URL(endpoint);
  const ownHost = isPathStyle ? host : `${bucket}.${host}`;
  return {
    origin: `${protocol}//${ownHost}`,
    host: ownHost,
    basePath: isPathStyle ? `/${bucket}` : '',
    prefix,
    keys: { accessKeyId, secretAccessKey, region },
  };
}
