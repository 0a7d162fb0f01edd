import { maxListedPartBytes } from '#server/domain/limits.ts';

/** Limits that S3 fixes and its clients rely on. Those of this server are at the end. All sizes are bytes. */

/** A key, as UTF-8. */
export const maxS3KeyBytes = 1000;

/** A body of XML. A list of 1000 keys to delete, or of 10,000 parts, fits well. */
export const maxXmlBytes = 4 * 1_048_576;

/** A file in one request. */
export const maxS3PutBytes = maxListedPartBytes;

/** User metadata, names and values together. */
export const maxS3MetadataBytes = 2048;

/** Keys of one DeleteObjects and of one page of a list. */
export const maxS3Keys = 1000;

/** How far the client's clock may be from the server's. */
export const maxClockSkewMs = 900_000;

/** The longest validity of a presigned address: 7 days. */
export const maxPresignedSeconds = 604_800;

/** Parts of a multipart upload are numbered from 1 to this. */
export const maxS3PartNumber = 10_000;

/** Open multipart uploads of one account over S3. Its clients open many at once, and leave them behind. */
export const maxOpenS3Uploads = 1000;

/** Simultaneous S3 requests of an account that store bytes: files, parts, forms and copied parts. */
export const maxS3WritesAtOnce = 64;
