import type { ChecksumAlgorithm, ChecksumType } from '../checksums/algorithms.ts';
import type { ClientProperties } from '../objects/client-properties.ts';

/**
 * An upload whose completion lists the parts that it wants: they may be larger than others, empty, and numbered with
 * gaps. It is started, and its parts are sent, in a way of its own.
 */
export interface ListedUpload {
  /** What its file will carry. */
  readonly properties: ClientProperties;
  /** The checksum that its client chose; each part gets one of this algorithm. */
  readonly checksum: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType } | null;
}
