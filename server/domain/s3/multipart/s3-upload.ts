import type { ChecksumAlgorithm, ChecksumType } from '../../checksums/algorithms.ts';
import type { S3Properties } from '../s3-properties.ts';

/** What a multipart upload was begun with over S3. */
export interface S3Upload {
  /** What its file will carry. */
  readonly properties: S3Properties;
  /** The checksum that its client chose; each part gets one of this algorithm. */
  readonly checksum: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType } | null;
}
