import type { S3Code } from '#server/domain/s3/s3-refusal.ts';
import { getAcl, putAcl } from './operations/acl.ts';
import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  getBucketRequestPayment,
  headBucket,
} from './operations/buckets.ts';
import {
  emptyConfiguration,
  fixedConfigurations,
  keepConfiguration,
  noConfiguration,
  removeNothing,
} from './operations/configurations.ts';
import type { Route } from './route-row.ts';

/** What a bucket could have and these have not, by the parameter that asks for it. */
const absent: ReadonlyArray<readonly [parameter: string, name: string, code: S3Code]> = [
  ['cors', 'GetBucketCors', 'NoSuchCORSConfiguration'],
  ['encryption', 'GetBucketEncryption', 'ServerSideEncryptionConfigurationNotFoundError'],
  ['lifecycle', 'GetBucketLifecycleConfiguration', 'NoSuchLifecycleConfiguration'],
  ['object-lock', 'GetObjectLockConfiguration', 'ObjectLockConfigurationNotFoundError'],
  ['ownershipControls', 'GetBucketOwnershipControls', 'OwnershipControlsNotFoundError'],
  ['policy', 'GetBucketPolicy', 'NoSuchBucketPolicy'],
  ['policyStatus', 'GetBucketPolicyStatus', 'NoSuchBucketPolicy'],
  ['publicAccessBlock', 'GetPublicAccessBlock', 'NoSuchPublicAccessBlockConfiguration'],
  ['replication', 'GetBucketReplication', 'ReplicationConfigurationNotFoundError'],
  ['tagging', 'GetBucketTagging', 'NoSuchTagSet'],
  ['website', 'GetBucketWebsite', 'NoSuchWebsiteConfiguration'],
];

/** Those of them that S3 can take away. */
const removable: ReadonlyArray<readonly [parameter: string, name: string]> = [
  ['cors', 'DeleteBucketCors'],
  ['encryption', 'DeleteBucketEncryption'],
  ['lifecycle', 'DeleteBucketLifecycle'],
  ['ownershipControls', 'DeleteBucketOwnershipControls'],
  ['policy', 'DeleteBucketPolicy'],
  ['publicAccessBlock', 'DeletePublicAccessBlock'],
  ['replication', 'DeleteBucketReplication'],
  ['tagging', 'DeleteBucketTagging'],
  ['website', 'DeleteBucketWebsite'],
];

/** What S3 answers with an empty document where nothing was configured. */
const empty: ReadonlyArray<readonly [parameter: string, name: string, root: string]> = [
  ['accelerate', 'GetBucketAccelerateConfiguration', 'AccelerateConfiguration'],
  ['logging', 'GetBucketLogging', 'BucketLoggingStatus'],
  ['notification', 'GetBucketNotificationConfiguration', 'NotificationConfiguration'],
  ['versioning', 'GetBucketVersioning', 'VersioningConfiguration'],
];

const asked = { method: 'GET', on: 'bucket', needs: 'either' } as const;

/** The operations that are about buckets and not about what is in them. */
export const bucketRoutes: readonly Route[] = [
  { name: 'HeadBucket', method: 'HEAD', on: 'bucket', needs: 'either', run: headBucket },
  { name: 'CreateBucket', method: 'PUT', on: 'bucket', needs: 'either', run: createBucket },
  { name: 'DeleteBucket', method: 'DELETE', on: 'bucket', needs: 'write', run: deleteBucket },
  { name: 'GetBucketLocation', ...asked, query: { location: true }, run: getBucketLocation },
  { name: 'GetBucketRequestPayment', ...asked, query: { requestPayment: true }, run: getBucketRequestPayment },
  ...absent.map(([parameter, name, code]): Route => ({
    name,
    ...asked,
    query: { [parameter]: true },
    run: noConfiguration(code),
  })),
  ...empty.map(([parameter, name, root]): Route => ({
    name,
    ...asked,
    query: { [parameter]: true },
    run: emptyConfiguration(root),
  })),
  ...removable.map(([parameter, name]): Route => ({
    name,
    method: 'DELETE',
    on: 'bucket',
    query: { [parameter]: true },
    needs: 'write',
    run: removeNothing,
  })),
  ...fixedConfigurations.map((fixed): Route => ({
    name: fixed.name,
    method: 'PUT',
    on: 'bucket',
    query: { [fixed.parameter]: true },
    needs: 'write',
    run: keepConfiguration(fixed),
  })),
  {
    name: 'PutObjectLockConfiguration',
    method: 'PUT',
    on: 'bucket',
    query: { 'object-lock': true },
    needs: 'write',
    run: noConfiguration('InvalidBucketState'),
  },
  { name: 'GetBucketAcl', ...asked, query: { acl: true }, run: getAcl },
  { name: 'PutBucketAcl', method: 'PUT', on: 'bucket', query: { acl: true }, needs: 'write', run: putAcl },
];
