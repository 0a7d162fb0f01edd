/**
 * All errors that S3 clients get, by S3's own names.
 *
 * @see server/features/s3/door/errors.ts for statuses and messages
 */
export type S3Code =
  | 'AccessControlListNotSupported'
  | 'AccessDenied'
  | 'AccountProblem'
  | 'AuthorizationHeaderMalformed'
  | 'AuthorizationQueryParametersError'
  | 'BadDigest'
  | 'BadRequest'
  | 'BucketAlreadyOwnedByYou'
  | 'EntityTooLarge'
  | 'EntityTooSmall'
  | 'IncompleteBody'
  | 'InsufficientStorage'
  | 'InternalError'
  | 'InvalidAccessKeyId'
  | 'InvalidArgument'
  | 'InvalidBucketName'
  | 'InvalidBucketState'
  | 'InvalidChunkSizeError'
  | 'InvalidDigest'
  | 'InvalidPart'
  | 'InvalidPartNumber'
  | 'InvalidPartOrder'
  | 'InvalidPolicyDocument'
  | 'InvalidRange'
  | 'InvalidRequest'
  | 'InvalidStorageClass'
  | 'InvalidURI'
  | 'KeyTooLongError'
  | 'MalformedACLError'
  | 'MalformedPOSTRequest'
  | 'MalformedTrailerError'
  | 'MalformedXML'
  | 'MaxPostPreDataLengthExceeded'
  | 'MetadataTooLarge'
  | 'MethodNotAllowed'
  | 'MissingContentLength'
  | 'MissingSecurityHeader'
  | 'NoSuchBucket'
  | 'NoSuchBucketPolicy'
  | 'NoSuchCORSConfiguration'
  | 'NoSuchKey'
  | 'NoSuchLifecycleConfiguration'
  | 'NoSuchPublicAccessBlockConfiguration'
  | 'NoSuchTagSet'
  | 'NoSuchUpload'
  | 'NoSuchVersion'
  | 'NoSuchWebsiteConfiguration'
  | 'NotImplemented'
  | 'ObjectLockConfigurationNotFoundError'
  | 'OwnershipControlsNotFoundError'
  | 'PreconditionFailed'
  | 'QuotaExceeded'
  | 'ReplicationConfigurationNotFoundError'
  | 'RequestHeaderSectionTooLarge'
  | 'RequestTimeTooSkewed'
  | 'RequestTimeout'
  | 'ServerSideEncryptionConfigurationNotFoundError'
  | 'ServiceUnavailable'
  | 'SignatureDoesNotMatch'
  | 'SlowDown'
  | 'TooManyMultipartUploads'
  | 'UnexpectedContent'
  | 'XAmzContentSHA256Mismatch';

/** The optional parts of a refusal. */
interface S3RefusalDetails {
  /** The message for people. Default: the message of the code. */
  readonly message?: string;
  /** More elements of the error's XML, such as `MaxSizeAllowed`. */
  readonly details?: Readonly<Record<string, string>>;
  /** Response headers that go with it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that only S3 has a name for. The rest of the domain throws `Refusal`, which the S3 door translates. */
export class S3Refusal extends Error {
  readonly code: S3Code;
  /** Its own message, if it has one. */
  readonly ownMessage: string | undefined;
  readonly details: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: S3Code, { message, details = {}, headers = {} }: S3RefusalDetails = {}) {
    super(message ?? code);
    this.name = 'S3Refusal';
    this.code = code;
    this.ownMessage = message;
    this.details = details;
    this.headers = headers;
  }
}
