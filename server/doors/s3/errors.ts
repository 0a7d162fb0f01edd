import type { ErrorCode } from '#generated/errors.ts';
import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refusalMessage } from '#server/domain/refusal-words.ts';
import type { Failure } from '#server/pipeline/exchange.ts';
import { S3Refusal, type S3Code } from '#server/domain/s3/s3-refusal.ts';
import { element, xmlDocument } from './xml.ts';

/** What an S3 code is answered with: never an empty message, on which one client fails. */
export interface S3Meaning {
  readonly status: number;
  readonly message: string;
}

/** Status and default words of every code. @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export const s3Errors: Readonly<Record<S3Code, S3Meaning>> = {
  AccessControlListNotSupported: {
    status: 400,
    message: 'The bucket decides who can read its files. Send no ACL, or one that says the same as the bucket.',
  },
  AccessDenied: { status: 403, message: 'Access is denied. Sign the request with a key that may do this.' },
  AuthorizationHeaderMalformed: {
    status: 400,
    message: 'The Authorization header cannot be read. It must be a Signature Version 4 for the service s3.',
  },
  AuthorizationQueryParametersError: {
    status: 400,
    message: 'The signature in the query cannot be read. Presign the address again.',
  },
  BadDigest: {
    status: 400,
    message: 'The bytes that arrived have another checksum than announced. Nothing was stored; send them again.',
  },
  BadRequest: {
    status: 400,
    message: 'The bytes that arrived are no HTTP request, or not a whole one. Send it again.',
  },
  BucketAlreadyOwnedByYou: { status: 409, message: 'This bucket is there already, and it is yours.' },
  EntityTooLarge: {
    status: 400,
    message: 'The file is larger than one request may carry. Send it as a multipart upload.',
  },
  EntityTooSmall: { status: 400, message: 'The file or a part of it is smaller than it may be.' },
  IncompleteBody: {
    status: 400,
    message: 'The body has another length than announced. Nothing was stored; send it again.',
  },
  InsufficientStorage: {
    status: 507,
    message:
      'The disk of the server is full. Nothing was read or stored. Files can still be read and deleted; try again when there is room.',
  },
  InternalError: {
    status: 500,
    message: 'Something went wrong on the server. Try again; if it stays, tell the operator the request id.',
  },
  InvalidAccessKeyId: {
    status: 403,
    message: 'There is no such access key id, or its API key has ended. Ask for the S3 credentials again.',
  },
  InvalidArgument: { status: 400, message: 'A header or parameter has a value that cannot be taken.' },
  InvalidBucketName: {
    status: 400,
    message: 'This cannot be the name of a bucket. There are three: public, private and legacy.',
  },
  InvalidBucketState: {
    status: 409,
    message: 'Files have one version here, and a bucket of such files takes no object locks.',
  },
  InvalidChunkSizeError: { status: 403, message: 'Only the last chunk is allowed to have a size less than 8192 bytes' },
  InvalidDigest: { status: 400, message: 'The checksum is no base64 of the right length.' },
  InvalidPart: {
    status: 400,
    message:
      'One or more of the specified parts could not be found. The part may not have been uploaded, or has another ETag now.',
  },
  InvalidPartNumber: { status: 416, message: 'The requested partnumber is not satisfiable' },
  InvalidPartOrder: { status: 400, message: 'The parts must be named in ascending order.' },
  InvalidPolicyDocument: { status: 400, message: 'The policy of the form cannot be read.' },
  InvalidRange: { status: 416, message: 'The range lies outside of the file.' },
  InvalidRequest: { status: 400, message: 'The request cannot be taken as it is.' },
  InvalidStorageClass: {
    status: 400,
    message: 'There is one storage class. Leave x-amz-storage-class out, or send STANDARD.',
  },
  InvalidURI: { status: 400, message: 'The address of the request cannot be read.' },
  KeyTooLongError: { status: 400, message: 'The key is longer than 1000 bytes of UTF-8.' },
  MalformedACLError: {
    status: 400,
    message:
      'The ACL is no AccessControlPolicy with an Owner and an AccessControlList, whose grants have one Grantee and one Permission each.',
  },
  MalformedPOSTRequest: { status: 400, message: 'The body is no well-formed multipart/form-data.' },
  MalformedTrailerError: {
    status: 400,
    message:
      'What follows the bytes of the body is not what x-amz-trailer announces, or cannot be read. Nothing was stored.',
  },
  MalformedXML: {
    status: 400,
    message: 'The XML of the body is not well-formed, or is not what this operation takes.',
  },
  MaxPostPreDataLengthExceeded: {
    status: 400,
    message: 'The fields before the file may have 128 KiB in all, and each of them 64 KiB. Nothing was stored.',
  },
  MetadataTooLarge: { status: 400, message: 'User metadata may have 2048 bytes in all.' },
  MethodNotAllowed: { status: 405, message: 'This method cannot be used here.' },
  MissingContentLength: { status: 411, message: 'The request must say how long its body is: send Content-Length.' },
  MissingSecurityHeader: {
    status: 400,
    message: 'The request has no ACL. Send x-amz-acl, x-amz-grant-… or an AccessControlPolicy in the body.',
  },
  NoSuchBucket: { status: 404, message: 'There is no such bucket. There are three: public, private and legacy.' },
  NoSuchBucketPolicy: { status: 404, message: 'The bucket has no policy.' },
  NoSuchCORSConfiguration: { status: 404, message: 'The bucket has no CORS configuration.' },
  NoSuchKey: { status: 404, message: 'There is no file of this key.' },
  NoSuchLifecycleConfiguration: {
    status: 404,
    message: 'The bucket has no lifecycle configuration. Rules of the account can delete files by their age.',
  },
  NoSuchPublicAccessBlockConfiguration: {
    status: 404,
    message: 'The bucket has no public access block configuration.',
  },
  NoSuchTagSet: { status: 404, message: 'The bucket has no tags.' },
  NoSuchUpload: { status: 404, message: 'There is no such multipart upload. It may have been completed or aborted.' },
  NoSuchVersion: { status: 404, message: 'Files have no versions here.' },
  NoSuchWebsiteConfiguration: { status: 404, message: 'The bucket has no website configuration.' },
  NotImplemented: {
    status: 501,
    message: 'This server does not have what a header, a parameter or the operation asks for.',
  },
  ObjectLockConfigurationNotFoundError: { status: 404, message: 'The bucket has no object lock configuration.' },
  OwnershipControlsNotFoundError: { status: 404, message: 'The bucket has no ownership controls.' },
  PreconditionFailed: { status: 412, message: 'A condition of the request does not hold.' },
  QuotaExceeded: {
    status: 403,
    message: 'The account has no room for these bytes. Delete files or raise the quota, then try again.',
  },
  ReplicationConfigurationNotFoundError: { status: 404, message: 'The bucket has no replication configuration.' },
  RequestHeaderSectionTooLarge: {
    status: 400,
    message: 'The headers of the request are larger than 16 KB in all. Send fewer or shorter ones.',
  },
  RequestTimeTooSkewed: {
    status: 403,
    message: "The request's time is more than 15 minutes from the server's. Set the clock.",
  },
  RequestTimeout: { status: 400, message: 'The body did not arrive in time.' },
  ServerSideEncryptionConfigurationNotFoundError: {
    status: 404,
    message: 'The bucket has no encryption configuration.',
  },
  ServiceUnavailable: { status: 503, message: 'The storage cannot be reached at the moment. Try again.' },
  SignatureDoesNotMatch: {
    status: 403,
    message: 'The signature is not that of this request. Check the secret access key and how the request is signed.',
  },
  SlowDown: { status: 503, message: 'Too many requests. Wait as long as Retry-After says, then try again.' },
  TooManyMultipartUploads: { status: 400, message: 'The account has 32 uploads open. Complete or abort one first.' },
  UnexpectedContent: { status: 400, message: 'This request takes no body.' },
  XAmzContentSHA256Mismatch: {
    status: 400,
    message:
      'The bytes that arrived have another SHA-256 than x-amz-content-sha256 says. Nothing was stored; send them again.',
  },
};

/** What the domain's refusals are called in S3. */
const translations: Partial<Record<ErrorCode, S3Code>> = {
  ACCESS_DENIED: 'AccessDenied',
  PERMISSION_DENIED: 'AccessDenied',
  MISSING_SCOPE: 'AccessDenied',
  PREFIX_NOT_ALLOWED: 'AccessDenied',
  UPGRADE_REQUIRED: 'AccessDenied',
  FILE_TYPE_NOT_ALLOWED: 'AccessDenied',
  OBJECT_NOT_FOUND: 'NoSuchKey',
  FILE_NOT_FOUND: 'NoSuchKey',
  OBJECT_ALREADY_EXISTS: 'PreconditionFailed',
  FILE_TOO_LARGE: 'EntityTooLarge',
  CHUNK_TOO_LARGE: 'EntityTooLarge',
  CHUNK_TOO_SMALL: 'EntityTooSmall',
  CHECKSUM_MISMATCH: 'BadDigest',
  STORAGE_QUOTA_EXCEEDED: 'QuotaExceeded',
  INSUFFICIENT_STORAGE: 'InsufficientStorage',
  UPLOAD_NOT_FOUND: 'NoSuchUpload',
  INVALID_UPLOAD_TOKEN: 'NoSuchUpload',
  TOO_MANY_OPEN_UPLOADS: 'TooManyMultipartUploads',
  RATE_LIMITED: 'SlowDown',
  UPLOAD_FAILED: 'ServiceUnavailable',
  COPY_FAILED: 'ServiceUnavailable',
  DELETE_FAILED: 'ServiceUnavailable',
  LIST_FAILED: 'ServiceUnavailable',
};

/** Any error as S3 answers it; what is no refusal is our bug. */
export function s3Failure(error: unknown): Failure<S3Refusal> {
  if (error instanceof S3Refusal) return { refusal: error };
  if (error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable)
    return { refusal: new S3Refusal('ServiceUnavailable'), fault: error };
  const code = error instanceof Refusal ? translations[error.code] : undefined;
  if (!(error instanceof Refusal) || code === undefined)
    return { refusal: new S3Refusal('InternalError'), fault: error, isUnexpected: true };
  const headers = error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) };
  const message = refusalMessage(error, s3Errors[code].message);
  return { refusal: new S3Refusal(code, { headers, message }), fault: error.cause };
}

/** The body of an error. */
export function errorXml(
  { code, words, details }: S3Refusal,
  { resource, requestId }: { readonly resource: string; readonly requestId: string },
): string {
  // The lines of what was signed stay lines.
  const more = Object.entries(details).map(([name, text]) => ({
    xml: element(name, text).xml.replaceAll('&#10;', '\n'),
  }));
  return xmlDocument(
    element('Error', [
      element('Code', code),
      element('Message', words ?? s3Errors[code].message),
      ...more,
      element('Resource', resource),
      element('RequestId', requestId),
    ]),
  );
}
