import type { ErrorCode } from '#generated/errors.ts';
import { maxOpenS3Uploads } from './limits.ts';

/**
 * The HTTP status and the default message of each code. None is empty, because one client fails on an empty message.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export const s3Meanings = {
  AccessControlListNotSupported: [
    400,
    'The bucket decides who can read its files. Send no ACL, or one that says the same as the bucket.',
  ],
  AccessDenied: [403, 'Access is denied. Sign the request with a key that may do this.'],
  AccountProblem: [403, 'The operator of this server has suspended or deleted the account. Ask the operator.'],
  AuthorizationHeaderMalformed: [
    400,
    'The Authorization header cannot be read. It must be a Signature Version 4 for the service s3.',
  ],
  AuthorizationQueryParametersError: [400, 'The signature in the query cannot be read. Presign the address again.'],
  BadDigest: [400, 'The received bytes have another checksum than announced. Nothing was stored. Send them again.'],
  BadRequest: [400, 'The received bytes are not a complete HTTP request. Send it again.'],
  BucketAlreadyOwnedByYou: [409, 'This bucket exists already, and it is yours.'],
  EntityTooLarge: [400, 'The file is larger than one request can carry. Send it as a multipart upload.'],
  EntityTooSmall: [400, 'The file, or a part of it, is smaller than the least allowed size.'],
  IncompleteBody: [400, 'The body has another length than announced. Nothing was stored. Send it again.'],
  InsufficientStorage: [
    507,
    'The disk of the server is full. Nothing was read or stored. Files can still be read and deleted. Try again ' +
      'when there is room.',
  ],
  InternalError: [500, 'The server failed. Try again. If it fails again, tell the operator the request id.'],
  InvalidAccessKeyId: [
    403,
    'There is no such access key id, or its API key has ended. Ask for the S3 credentials again.',
  ],
  InvalidArgument: [400, 'A header or parameter has a value that is not allowed.'],
  InvalidBucketName: [400, 'This cannot be the name of a bucket. There are three: public, private and legacy.'],
  InvalidBucketState: [
    409,
    'The buckets here cannot have object locks. Give people who must not change files a key with the scope ' +
      'blob:read alone.',
  ],
  InvalidChunkSizeError: [403, 'Only the last chunk is allowed to have a size less than 8192 bytes'],
  InvalidDigest: [400, 'The checksum is not base64 of the right length.'],
  InvalidPart: [
    400,
    'One or more of the specified parts could not be found. The part may not have been uploaded, ' +
      'or has another ETag now.',
  ],
  InvalidPartNumber: [416, 'The requested partnumber is not satisfiable'],
  InvalidPartOrder: [400, 'The parts must be listed in ascending order.'],
  InvalidPolicyDocument: [400, 'The policy of the form cannot be read.'],
  InvalidRange: [416, 'The range lies outside of the file.'],
  InvalidRequest: [400, 'The request contradicts itself, or this server cannot do what it asks for.'],
  InvalidStorageClass: [400, 'There is one storage class. Leave x-amz-storage-class out, or send STANDARD.'],
  InvalidURI: [400, 'The path of the request is not percent-encoded UTF-8.'],
  KeyTooLongError: [400, 'The key is longer than 1000 bytes of UTF-8.'],
  MalformedACLError: [
    400,
    'The ACL must be an AccessControlPolicy with an Owner and an AccessControlList. Each of its grants must have ' +
      'one Grantee and one Permission.',
  ],
  MalformedPOSTRequest: [400, 'The body is not well-formed multipart/form-data.'],
  MalformedTrailerError: [
    400,
    'The trailer of the body cannot be read, or is not the one that x-amz-trailer announces. Nothing was stored.',
  ],
  MalformedXML: [400, 'The XML of the body is not well-formed, or is not what this operation takes.'],
  MaxPostPreDataLengthExceeded: [
    400,
    'The fields before the file can have 128 KiB in all, and each of them 64 KiB. Nothing was stored.',
  ],
  MetadataTooLarge: [400, 'User metadata can have 2048 bytes in all.'],
  MethodNotAllowed: [405, 'This method cannot be used here.'],
  MissingContentLength: [411, 'The request must announce the length of its body. Send Content-Length.'],
  MissingSecurityHeader: [
    400,
    'The request has no ACL. Send x-amz-acl, x-amz-grant-… or an AccessControlPolicy in the body.',
  ],
  NoSuchBucket: [404, 'There is no such bucket. There are three: public, private and legacy.'],
  NoSuchBucketPolicy: [404, 'The bucket has no policy.'],
  NoSuchCORSConfiguration: [404, 'The bucket has no CORS configuration.'],
  NoSuchKey: [404, 'There is no file with this key.'],
  NoSuchLifecycleConfiguration: [
    404,
    'The bucket has no lifecycle configuration. Rules of the account can delete files by their age.',
  ],
  NoSuchPublicAccessBlockConfiguration: [404, 'The bucket has no public access block configuration.'],
  NoSuchTagSet: [404, 'The bucket has no tags.'],
  NoSuchUpload: [404, 'There is no such multipart upload. It may have been completed or aborted.'],
  NoSuchVersion: [404, 'The file has no such version. It may have been purged. List the versions of the bucket.'],
  NoSuchWebsiteConfiguration: [404, 'The bucket has no website configuration.'],
  NotImplemented: [501, 'This server does not have what a header, a parameter or the operation asks for.'],
  ObjectLockConfigurationNotFoundError: [404, 'The bucket has no object lock configuration.'],
  OwnershipControlsNotFoundError: [404, 'The bucket has no ownership controls.'],
  PreconditionFailed: [412, 'A condition of the request does not hold.'],
  QuotaExceeded: [403, 'The account has no room for these bytes. Delete files or raise the quota, then try again.'],
  ReplicationConfigurationNotFoundError: [404, 'The bucket has no replication configuration.'],
  RequestHeaderSectionTooLarge: [
    400,
    'The headers of the request are larger than 16 KB in all. Send fewer or shorter ones.',
  ],
  RequestTimeTooSkewed: [403, "The request's time is more than 15 minutes from the server's. Set the clock."],
  RequestTimeout: [400, 'The body did not arrive in time.'],
  ServerSideEncryptionConfigurationNotFoundError: [404, 'The bucket has no encryption configuration.'],
  ServiceUnavailable: [503, 'The storage cannot be reached at the moment. Try again.'],
  SignatureDoesNotMatch: [
    403,
    'The signature does not belong to this request. Check the secret access key and how the request is signed.',
  ],
  SlowDown: [503, 'Too many requests. Wait as long as Retry-After says, then try again.'],
  TooManyMultipartUploads: [
    400,
    `The account has ${maxOpenS3Uploads} multipart uploads open. Complete or abort one first. One that is idle ` +
      'for a day gives way by itself.',
  ],
  UnexpectedContent: [400, 'This request takes no body.'],
  XAmzContentSHA256Mismatch: [
    400,
    'The received bytes have another SHA-256 than x-amz-content-sha256 says. Nothing was stored. Send them again.',
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** All errors that S3 clients get, by S3's own names. */
export type S3Code = keyof typeof s3Meanings;

/** The S3 codes of the domain's refusals. A refusal without one is a bug. */
export const s3Translations: Partial<Record<ErrorCode, S3Code>> = {
  ACCESS_DENIED: 'AccessDenied',
  ACCOUNT_SUSPENDED: 'AccountProblem',
  PERMISSION_DENIED: 'AccessDenied',
  MISSING_SCOPE: 'AccessDenied',
  PREFIX_NOT_ALLOWED: 'AccessDenied',
  VERSION_KEPT: 'AccessDenied',
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
  SERVER_OVERLOADED: 'SlowDown',
  STORAGE_UNAVAILABLE: 'ServiceUnavailable',
  UPLOAD_FAILED: 'ServiceUnavailable',
  COPY_FAILED: 'ServiceUnavailable',
  DELETE_FAILED: 'ServiceUnavailable',
  LIST_FAILED: 'ServiceUnavailable',
};

/**
 * The sentences of refusals that share their S3 code with other causes, where the sentence of the code would mislead.
 */
export const s3Sentences: Partial<Record<ErrorCode, string>> = {
  PERMISSION_DENIED: 'Writing needs an active paid plan. Choose a plan for the account first.',
  MISSING_SCOPE: 'The API key of this pair lacks the scope that the operation needs. Use the pair of another key.',
  PREFIX_NOT_ALLOWED:
    'The API key of this pair is restricted to other prefixes. Use a key under one of them, or another pair.',
  VERSION_KEPT:
    'A request keeps this version in the trash. Use the pair of a key with the scope *, or purge it in the console.',
  UPGRADE_REQUIRED: "The account's plan does not include this. Upgrade the plan, or leave it out.",
  FILE_TYPE_NOT_ALLOWED: 'A rule takes other file types only under this prefix. Send one of those.',
  OBJECT_ALREADY_EXISTS:
    'There is a file with this key already. Choose another key, or replace it without a condition.',
  CHUNK_TOO_LARGE: 'The part is larger than a part can be. Send smaller parts.',
  CHUNK_TOO_SMALL: 'Every part but the last takes at least 5 MiB. Send larger parts.',
  UPLOAD_FAILED: 'The bytes could not be stored, and nothing was kept. Send them again.',
  COPY_FAILED: 'The file could not be copied. Try again.',
  DELETE_FAILED: 'The file could not be deleted. Try again.',
  LIST_FAILED: 'The files could not be listed. Try again.',
  SERVER_OVERLOADED:
    'The server has no memory left for another request. Wait as long as Retry-After says, then try again.',
};
