import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { parseQuery, type RawQuery } from '#server/http/query.ts';
import type { Needs } from './authorize.ts';
import type { S3Operation } from './context.ts';
import { invalidArgument } from './errors.ts';
import { notImplemented } from './not-implemented.ts';
import { abortMultipartUpload } from './operations/abort-multipart-upload.ts';
import { getAcl, putAcl } from './operations/acl.ts';
import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  getBucketRequestPayment,
  headBucket,
} from './operations/buckets.ts';
import { completeMultipartUpload } from './operations/complete-multipart-upload.ts';
import {
  fixedConfiguration,
  getBucketVersioning,
  keepConfiguration,
  noConfiguration,
  removeConfiguration,
} from './operations/configurations.ts';
import { copyObject } from './operations/copy-object.ts';
import { createMultipartUpload } from './operations/create-multipart-upload.ts';
import { deleteObject } from './operations/delete-object.ts';
import { deleteObjects } from './operations/delete-objects.ts';
import { getObjectAttributes } from './operations/get-object-attributes.ts';
import { getObject, headObject } from './operations/get-object.ts';
import { listBuckets } from './operations/list-buckets.ts';
import { listMultipartUploads } from './operations/list-multipart-uploads.ts';
import { listObjectVersions } from './operations/list-object-versions.ts';
import { listObjectsV2 } from './operations/list-objects-v2.ts';
import { listObjects } from './operations/list-objects.ts';
import { listParts } from './operations/list-parts.ts';
import { postObject } from './operations/post-object.ts';
import { putObject } from './operations/put-object.ts';
import { deleteObjectTagging, getObjectTagging, noObjectLock, putObjectTagging } from './operations/tagging.ts';
import { uploadPartCopy } from './operations/upload-part-copy.ts';
import { uploadPart } from './operations/upload-part.ts';
import type { S3Request } from './request.ts';

/** Requirements that only some operations have. */
interface Options {
  /** A header that the request must have. */
  readonly header?: string;
  /** Whether the request brings bytes. An account can send a limited number of them at once. */
  readonly bringsBytes?: true;
  /** Whether it needs free space on the disk, because it brings bytes or begins an upload. */
  readonly needsDiskSpace?: true;
}

/** An operation of the gateway. */
export interface Route extends Options {
  /** As S3 names it. */
  readonly name: string;
  /** The method and the template, such as `GET /{bucket}`. */
  readonly address: string;
  readonly template: string;
  readonly needs: Needs;
  readonly run: S3Operation;
  /** Parameters that the request must have. One with a value must have that value. */
  readonly query: RawQuery;
}

type Row = readonly [name: string, address: string, needs: Needs, run: S3Operation, options?: Options];

const brings = { bringsBytes: true, needsDiskSpace: true } as const;
const copies = { header: 'x-amz-copy-source' };

/** Every operation of a signed request. When several rows fit a request, the first one wins. */
const table: readonly Row[] = [
  ['ListBuckets', 'GET /', 'either', listBuckets],

  ['HeadBucket', 'HEAD /{bucket}', 'either', headBucket],
  ['CreateBucket', 'PUT /{bucket}', 'either', createBucket],
  ['DeleteBucket', 'DELETE /{bucket}', 'write', deleteBucket],
  ['GetBucketLocation', 'GET /{bucket}?location', 'either', getBucketLocation],
  ['GetBucketAcl', 'GET /{bucket}?acl', 'either', getAcl],
  ['PutBucketAcl', 'PUT /{bucket}?acl', 'write', putAcl],

  ['ListObjectsV2', 'GET /{bucket}?list-type=2', 'read', listObjectsV2],
  ['ListObjectVersions', 'GET /{bucket}?versions', 'read', listObjectVersions],
  ['ListMultipartUploads', 'GET /{bucket}?uploads', 'write', listMultipartUploads],
  ['ListObjects', 'GET /{bucket}', 'read', listObjects],
  ['DeleteObjects', 'POST /{bucket}?delete', 'write', deleteObjects],

  ['CreateMultipartUpload', 'POST /{bucket}/{key}?uploads', 'write', createMultipartUpload, { needsDiskSpace: true }],
  ['UploadPartCopy', 'PUT /{bucket}/{key}?partNumber&uploadId', 'write', uploadPartCopy, { ...copies, ...brings }],
  ['UploadPart', 'PUT /{bucket}/{key}?partNumber&uploadId', 'write', uploadPart, brings],
  ['CompleteMultipartUpload', 'POST /{bucket}/{key}?uploadId', 'write', completeMultipartUpload],
  ['AbortMultipartUpload', 'DELETE /{bucket}/{key}?uploadId', 'write', abortMultipartUpload],
  ['ListParts', 'GET /{bucket}/{key}?uploadId', 'write', listParts],

  ['CopyObject', 'PUT /{bucket}/{key}', 'write', copyObject, copies],
  ['PutObject', 'PUT /{bucket}/{key}', 'write', putObject, brings],
  ['GetObject', 'GET /{bucket}/{key}', 'read', getObject],
  ['HeadObject', 'HEAD /{bucket}/{key}', 'read', headObject],
  ['DeleteObject', 'DELETE /{bucket}/{key}', 'write', deleteObject],
  ['GetObjectAttributes', 'GET /{bucket}/{key}?attributes', 'read', getObjectAttributes],
  ['GetObjectAcl', 'GET /{bucket}/{key}?acl', 'read', getAcl],
  ['PutObjectAcl', 'PUT /{bucket}/{key}?acl', 'write', putAcl],
  ['GetObjectTagging', 'GET /{bucket}/{key}?tagging', 'read', getObjectTagging],
  ['PutObjectTagging', 'PUT /{bucket}/{key}?tagging', 'write', putObjectTagging],
  ['DeleteObjectTagging', 'DELETE /{bucket}/{key}?tagging', 'write', deleteObjectTagging],
  ['GetObjectRetention', 'GET /{bucket}/{key}?retention', 'read', noObjectLock],
  ['PutObjectRetention', 'PUT /{bucket}/{key}?retention', 'write', noObjectLock],
  ['GetObjectLegalHold', 'GET /{bucket}/{key}?legal-hold', 'read', noObjectLock],
  ['PutObjectLegalHold', 'PUT /{bucket}/{key}?legal-hold', 'write', noObjectLock],

  ['GetBucketCors', 'GET /{bucket}?cors', 'either', noConfiguration('NoSuchCORSConfiguration')],
  [
    'GetBucketEncryption',
    'GET /{bucket}?encryption',
    'either',
    noConfiguration('ServerSideEncryptionConfigurationNotFoundError'),
  ],
  [
    'GetBucketLifecycleConfiguration',
    'GET /{bucket}?lifecycle',
    'either',
    noConfiguration('NoSuchLifecycleConfiguration'),
  ],
  [
    'GetObjectLockConfiguration',
    'GET /{bucket}?object-lock',
    'either',
    noConfiguration('ObjectLockConfigurationNotFoundError'),
  ],
  [
    'GetBucketOwnershipControls',
    'GET /{bucket}?ownershipControls',
    'either',
    noConfiguration('OwnershipControlsNotFoundError'),
  ],
  ['GetBucketPolicy', 'GET /{bucket}?policy', 'either', noConfiguration('NoSuchBucketPolicy')],
  ['GetBucketPolicyStatus', 'GET /{bucket}?policyStatus', 'either', noConfiguration('NoSuchBucketPolicy')],
  [
    'GetPublicAccessBlock',
    'GET /{bucket}?publicAccessBlock',
    'either',
    noConfiguration('NoSuchPublicAccessBlockConfiguration'),
  ],
  [
    'GetBucketReplication',
    'GET /{bucket}?replication',
    'either',
    noConfiguration('ReplicationConfigurationNotFoundError'),
  ],
  ['GetBucketTagging', 'GET /{bucket}?tagging', 'either', noConfiguration('NoSuchTagSet')],
  ['GetBucketWebsite', 'GET /{bucket}?website', 'either', noConfiguration('NoSuchWebsiteConfiguration')],

  ['DeleteBucketCors', 'DELETE /{bucket}?cors', 'write', removeConfiguration],
  ['DeleteBucketEncryption', 'DELETE /{bucket}?encryption', 'write', removeConfiguration],
  ['DeleteBucketLifecycle', 'DELETE /{bucket}?lifecycle', 'write', removeConfiguration],
  ['DeleteBucketOwnershipControls', 'DELETE /{bucket}?ownershipControls', 'write', removeConfiguration],
  ['DeleteBucketPolicy', 'DELETE /{bucket}?policy', 'write', removeConfiguration],
  ['DeletePublicAccessBlock', 'DELETE /{bucket}?publicAccessBlock', 'write', removeConfiguration],
  ['DeleteBucketReplication', 'DELETE /{bucket}?replication', 'write', removeConfiguration],
  ['DeleteBucketTagging', 'DELETE /{bucket}?tagging', 'write', removeConfiguration],
  ['DeleteBucketWebsite', 'DELETE /{bucket}?website', 'write', removeConfiguration],

  [
    'GetBucketAccelerateConfiguration',
    'GET /{bucket}?accelerate',
    'either',
    fixedConfiguration('AccelerateConfiguration'),
  ],
  ['GetBucketLogging', 'GET /{bucket}?logging', 'either', fixedConfiguration('BucketLoggingStatus')],
  [
    'GetBucketNotificationConfiguration',
    'GET /{bucket}?notification',
    'either',
    fixedConfiguration('NotificationConfiguration'),
  ],
  ['GetBucketVersioning', 'GET /{bucket}?versioning', 'either', getBucketVersioning],
  ['GetBucketRequestPayment', 'GET /{bucket}?requestPayment', 'either', getBucketRequestPayment],

  ['PutBucketAccelerateConfiguration', 'PUT /{bucket}?accelerate', 'write', keepConfiguration('accelerate')],
  ['PutBucketLogging', 'PUT /{bucket}?logging', 'write', keepConfiguration('logging')],
  ['PutBucketNotificationConfiguration', 'PUT /{bucket}?notification', 'write', keepConfiguration('notification')],
  ['PutBucketRequestPayment', 'PUT /{bucket}?requestPayment', 'write', keepConfiguration('requestPayment')],
  ['PutBucketTagging', 'PUT /{bucket}?tagging', 'write', keepConfiguration('tagging')],
  ['PutBucketVersioning', 'PUT /{bucket}?versioning', 'write', keepConfiguration('versioning')],
  ['PutObjectLockConfiguration', 'PUT /{bucket}?object-lock', 'write', noConfiguration('InvalidBucketState')],
];

/** PostObject has no row, because the content of a request makes it a form. */
const postObjectRoute = routeOfRow(['PostObject', 'POST /{bucket}/{key}', 'write', postObject, brings]);

/** Every operation of the gateway. */
export const s3Operations: readonly Route[] = [...table.map(routeOfRow), postObjectRoute];

/** The rows of each method and template. */
const routes = Map.groupBy(
  s3Operations.filter((route) => route !== postObjectRoute),
  ({ address }) => address,
);

function routeOfRow([name, address, needs, run, options]: Row): Route {
  const [method, target] = address.split(/[ ?]/, 2) as [string, string];
  return { name, address: `${method} ${target}`, template: target, query: parseQuery(address), needs, run, ...options };
}

/**
 * Parameters that name an operation. A request with one is never taken for an operation that does not have it in its
 * row.
 */
const subresources = new Set(
  'accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold lifecycle location logging metrics metadataTable notification object-lock ownershipControls policy policyStatus publicAccessBlock renameObject replication requestPayment restore retention select session tagging torrent uploadId uploads versioning versions website append'.split(
    ' ',
  ),
);

const templates = { SERVICE: '/', BUCKET: '/{bucket}', OBJECT: '/{bucket}/{key}' };

/**
 * Returns the operation that a request means.
 *
 * @throws NotImplemented for an operation that S3 has and this server does not, MethodNotAllowed, InvalidArgument
 */
export function routeOf(request: S3Request): Route {
  if (request.form) return postObjectRoute;
  const { method, bucket, key, query } = request;
  const type = bucket === undefined ? 'SERVICE' : key === undefined ? 'BUCKET' : 'OBJECT';
  if (type === 'OBJECT' && method === 'PUT') requireWholePart(query);
  const named = [...query.keys()].filter((name) => subresources.has(name));
  const found = routes
    .get(`${method} ${templates[type]}`)
    ?.find((route) => fits(route, request) && named.every((name) => route.query.has(name)));
  if (found) return found;
  if (named[0] !== undefined) throw notImplemented(named[0]);
  throw new S3Refusal('MethodNotAllowed', { details: { Method: method, ResourceType: type } });
}

/** Without this, a request that lacks one of the two parameters would write a whole file. @throws InvalidArgument */
function requireWholePart(query: RawQuery): void {
  const [missing, ...others] = ['partNumber', 'uploadId'].filter((name) => !query.has(name));
  if (missing !== undefined && others.length === 0)
    throw invalidArgument(missing, `A part is named by partNumber and uploadId: ${missing} is missing.`);
}

function fits({ query, header: wanted }: Route, request: S3Request): boolean {
  if (wanted !== undefined && request.header(wanted) === undefined) return false;
  for (const [name, [value]] of query)
    if (value === '' ? !request.query.has(name) : request.query.get(name)?.[0] !== value) return false;
  return true;
}
