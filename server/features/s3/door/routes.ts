import { S3Refusal } from '../s3-refusal.ts';
import { parseQuery, type RawQuery } from '#server/http/query.ts';
import type { Needs } from './authorize.ts';
import type { S3Operation } from './context.ts';
import { invalidArgument } from './errors.ts';
import { isMissing, notImplemented } from './not-implemented.ts';
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
  deleteBucketEncryption,
  fixedConfiguration,
  getBucketEncryption,
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
import { getObject, headObject, overridableHeaders } from './operations/get-object.ts';
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
  /** The parameters that the request may have beside those that name the operation, with blanks between them. */
  readonly takes?: string;
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
  /** The names of all parameters that the request can have, besides those of every request. */
  readonly known: ReadonlySet<string>;
}

type Row = readonly [name: string, address: string, needs: Needs, run: S3Operation, options?: Options];

const brings = { bringsBytes: true, needsDiskSpace: true } as const;
const copies = { header: 'x-amz-copy-source' };
const versioned = { takes: 'versionId' };
/** `metadata` is MinIO's: its clients ask for the metadata of each entry, and work without it. */
const lists = 'prefix delimiter encoding-type max-keys metadata';
const overrides = `versionId partNumber ${Object.keys(overridableHeaders).join(' ')}`;

/** Every operation of a signed request. When several rows fit a request, the first one wins. */
const table: readonly Row[] = [
  ['ListBuckets', 'GET /', 'either', listBuckets, { takes: 'prefix max-buckets continuation-token bucket-region' }],

  ['HeadBucket', 'HEAD /{bucket}', 'either', headBucket],
  ['CreateBucket', 'PUT /{bucket}', 'either', createBucket],
  ['DeleteBucket', 'DELETE /{bucket}', 'write', deleteBucket],
  ['GetBucketLocation', 'GET /{bucket}?location', 'either', getBucketLocation],
  ['GetBucketAcl', 'GET /{bucket}?acl', 'either', getAcl],
  ['PutBucketAcl', 'PUT /{bucket}?acl', 'write', putAcl],

  [
    'ListObjectsV2',
    'GET /{bucket}?list-type=2',
    'read',
    listObjectsV2,
    { takes: `${lists} continuation-token start-after fetch-owner` },
  ],
  [
    'ListObjectVersions',
    'GET /{bucket}?versions',
    'read',
    listObjectVersions,
    { takes: `${lists} key-marker version-id-marker` },
  ],
  [
    'ListMultipartUploads',
    'GET /{bucket}?uploads',
    'write',
    listMultipartUploads,
    { takes: 'prefix delimiter encoding-type max-uploads key-marker upload-id-marker' },
  ],
  ['ListObjects', 'GET /{bucket}', 'read', listObjects, { takes: `${lists} marker` }],
  ['DeleteObjects', 'POST /{bucket}?delete', 'write', deleteObjects],

  ['CreateMultipartUpload', 'POST /{bucket}/{key}?uploads', 'write', createMultipartUpload, { needsDiskSpace: true }],
  ['UploadPartCopy', 'PUT /{bucket}/{key}?partNumber&uploadId', 'write', uploadPartCopy, { ...copies, ...brings }],
  ['UploadPart', 'PUT /{bucket}/{key}?partNumber&uploadId', 'write', uploadPart, brings],
  ['CompleteMultipartUpload', 'POST /{bucket}/{key}?uploadId', 'write', completeMultipartUpload],
  ['AbortMultipartUpload', 'DELETE /{bucket}/{key}?uploadId', 'write', abortMultipartUpload],
  [
    'ListParts',
    'GET /{bucket}/{key}?uploadId',
    'write',
    listParts,
    { takes: 'max-parts part-number-marker encoding-type' },
  ],

  ['CopyObject', 'PUT /{bucket}/{key}', 'write', copyObject, copies],
  ['PutObject', 'PUT /{bucket}/{key}', 'write', putObject, brings],
  ['GetObject', 'GET /{bucket}/{key}', 'read', getObject, { takes: overrides }],
  ['HeadObject', 'HEAD /{bucket}/{key}', 'read', headObject, { takes: overrides }],
  ['DeleteObject', 'DELETE /{bucket}/{key}', 'write', deleteObject, versioned],
  ['GetObjectAttributes', 'GET /{bucket}/{key}?attributes', 'read', getObjectAttributes, versioned],
  ['GetObjectAcl', 'GET /{bucket}/{key}?acl', 'read', getAcl, versioned],
  ['PutObjectAcl', 'PUT /{bucket}/{key}?acl', 'write', putAcl, versioned],
  ['GetObjectTagging', 'GET /{bucket}/{key}?tagging', 'read', getObjectTagging, versioned],
  ['PutObjectTagging', 'PUT /{bucket}/{key}?tagging', 'write', putObjectTagging, versioned],
  ['DeleteObjectTagging', 'DELETE /{bucket}/{key}?tagging', 'write', deleteObjectTagging, versioned],
  ['GetObjectRetention', 'GET /{bucket}/{key}?retention', 'read', noObjectLock, versioned],
  ['PutObjectRetention', 'PUT /{bucket}/{key}?retention', 'write', noObjectLock, versioned],
  ['GetObjectLegalHold', 'GET /{bucket}/{key}?legal-hold', 'read', noObjectLock, versioned],
  ['PutObjectLegalHold', 'PUT /{bucket}/{key}?legal-hold', 'write', noObjectLock, versioned],

  ['GetBucketCors', 'GET /{bucket}?cors', 'either', noConfiguration('NoSuchCORSConfiguration')],
  ['GetBucketEncryption', 'GET /{bucket}?encryption', 'either', getBucketEncryption],
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
  ['DeleteBucketEncryption', 'DELETE /{bucket}?encryption', 'write', deleteBucketEncryption],
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
  const query = parseQuery(address);
  const known = new Set([...query.keys(), ...(options?.takes?.split(' ') ?? [])]);
  return { name, address: `${method} ${target}`, template: target, query, known, needs, run, ...options };
}

const templates = { SERVICE: '/', BUCKET: '/{bucket}', OBJECT: '/{bucket}/{key}' };

/**
 * Returns the operation that a request means. Every parameter must be one of the operation: an unknown one may mean
 * another operation, so a write that ignored it would replace or delete the file.
 *
 * @throws NotImplemented for an operation that S3 has and this server does not, InvalidArgument for an unknown
 *   parameter, MethodNotAllowed
 */
export function routeOf(request: S3Request): Route {
  const { method, bucket, key, query, form } = request;
  const type = bucket === undefined ? 'SERVICE' : key === undefined ? 'BUCKET' : 'OBJECT';
  if (type === 'OBJECT' && method === 'PUT') requireWholePart(query);
  const ofAddress = form ? [postObjectRoute] : (routes.get(`${method} ${templates[type]}`) ?? []);
  const names = [...query.keys()].filter((name) => !isOfEveryRequest(name));
  const fitting = ofAddress.filter((route) => fits(route, request));
  const found = fitting.find(({ known }) => names.every((name) => known.has(name)));
  if (found) return found;
  const unknown = names.find((name) => !fitting.some(({ known }) => known.has(name)));
  const [refused] = unknown === undefined ? names : [unknown];
  if (refused !== undefined) throw unknownParameter(refused, names);
  throw new S3Refusal('MethodNotAllowed', { details: { Method: method, ResourceType: type } });
}

/**
 * Whether any request can have a parameter: SDKs name their operation in `x-id`, and presigned headers begin with
 * `x-amz-`.
 */
function isOfEveryRequest(name: string): boolean {
  return name === 'x-id' || /^x-amz-/i.test(name);
}

/** The names of all parameters that some operation takes. */
const knownNames = new Set(s3Operations.flatMap(({ known }) => [...known]));

function unknownParameter(name: string, names: readonly string[]): S3Refusal {
  if (isMissing(name)) return notImplemented(name);
  if (knownNames.has(name)) {
    const others = names.filter((one) => one !== name);
    const beside = others.length > 0 ? ` beside ${others.join(', ')}` : '';
    return invalidArgument(name, `This operation does not take the parameter ${name}${beside}. Nothing was done.`);
  }
  const meant = [...knownNames].find((one) => one.toLowerCase() === name.toLowerCase());
  const hint = meant === undefined ? 'Leave it out.' : `Did you mean ${meant}? Names are case-sensitive.`;
  return invalidArgument(name, `This server does not know the parameter ${name}. Nothing was done. ${hint}`);
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
