import { s3Operations, type Route } from '#server/features/s3/door/routes.ts';
import { postForm } from '#test/s3/signed-request.ts';
import type { Body, Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';
import { someConditions, someContent } from './content.ts';
import { serverClock } from '../server-clock.ts';

/** What a recipe adds to the method, the path and the query of an operation. */
interface Added {
  readonly key?: string;
  readonly bucket?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

type Make = (world: World) => Added | Recipe;

/** Operations that refuse every valid request, because no bucket can have what they are about, with their code. */
export const refusing: Readonly<Record<string, string>> = {
  CreateBucket: 'BucketAlreadyOwnedByYou',
  DeleteBucket: 'AccessDenied',
  GetObjectRetention: 'InvalidRequest',
  PutObjectRetention: 'InvalidRequest',
  GetObjectLegalHold: 'InvalidRequest',
  PutObjectLegalHold: 'InvalidRequest',
  GetBucketCors: 'NoSuchCORSConfiguration',
  GetBucketEncryption: 'ServerSideEncryptionConfigurationNotFoundError',
  GetBucketLifecycleConfiguration: 'NoSuchLifecycleConfiguration',
  GetObjectLockConfiguration: 'ObjectLockConfigurationNotFoundError',
  GetBucketOwnershipControls: 'OwnershipControlsNotFoundError',
  GetBucketPolicy: 'NoSuchBucketPolicy',
  GetBucketPolicyStatus: 'NoSuchBucketPolicy',
  GetPublicAccessBlock: 'NoSuchPublicAccessBlockConfiguration',
  GetBucketReplication: 'ReplicationConfigurationNotFoundError',
  GetBucketTagging: 'NoSuchTagSet',
  GetBucketWebsite: 'NoSuchWebsiteConfiguration',
  PutObjectLockConfiguration: 'InvalidBucketState',
};

const bucket = ({ random }: World) => random.pick(['public', 'private']);
const newKey = ({ random }: World) =>
  random.pick(['a', 'b/c.txt', 'd e+f', 'é/漢', 'docs/x.png', `n${random.below(20)}`]);
const xml = (root: string, content = '') => ({ body: `<${root}>${content}</${root}>` });

/** Calls `use` with a file. Without one, the request stores a file. */
const onFile =
  (
    use: (world: World, file: { readonly bucket: string; readonly key: string }) => Added = (_world, file) => file,
  ): Make =>
  (world) => {
    const [own, key] = world.some('s3File')?.split(/\/(.*)/s) ?? [];
    return own === undefined || key === undefined
      ? s3.PutObject!
      : { bucket: own, key, ...use(world, { bucket: own, key }) };
  };

/** Calls `use` with a multipart upload that is under way. Without one, the request creates one. */
const onUpload =
  (use: (world: World, uploadId: string, parts: ReadonlyMap<number, string>) => Added | Recipe): Make =>
  (world) => {
    const uploadId = world.some('s3Upload');
    const about = uploadId === undefined ? undefined : world.uploads.get(uploadId);
    if (!about) return s3.CreateMultipartUpload!;
    const added = use(world, uploadId!, about.parts);
    return typeof added === 'function' ? added : { bucket: about.bucket!, key: about.key!, ...added };
  };

const source = (world: World) =>
  `/${world.some('s3File') ?? 'private/none'}`.split('/').map(encodeURIComponent).join('/');

const partList = (parts: ReadonlyMap<number, string>) =>
  [...parts].map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`).join('');

const uploadPart: Make = onUpload((world, uploadId) => ({
  query: { partNumber: '1', uploadId },
  body: someContent(world),
}));

const listing: Make = (world) => ({
  query: {
    ...(world.random.chance(0.4) && { prefix: world.random.pick(['', 'a', 'docs/', 'é']) }),
    ...(world.random.chance(0.3) && { delimiter: '/' }),
    ...(world.random.chance(0.4) && { 'max-keys': world.random.pick(['0', '1', '1000']) }),
    ...(world.random.chance(0.3) && { 'encoding-type': 'url' }),
  },
});

const makes: Readonly<Record<string, Make>> = {
  ListObjects: listing,
  ListObjectsV2: listing,
  ListObjectVersions: listing,
  PutObject: (world) => ({
    key: newKey(world),
    body: someContent(world),
    headers: {
      'content-type': world.random.pick(['text/plain', 'image/png']),
      ...(world.random.chance(0.3) && { 'x-amz-meta-colour': 'green' }),
    },
  }),
  GetObject: onFile((world) => ({ headers: someConditions(world) })),
  HeadObject: onFile((world) => ({ headers: someConditions(world) })),
  CopyObject: onFile((world) => ({
    key: newKey(world),
    bucket: bucket(world),
    headers: { 'x-amz-copy-source': source(world) },
  })),
  DeleteObjects: onFile((_world, { key }) => xml('Delete', `<Object><Key>${key}</Key></Object>`)),
  CreateMultipartUpload: (world) => ({ key: newKey(world) }),
  UploadPart: uploadPart,
  UploadPartCopy: (world) =>
    world.some('s3File') === undefined
      ? s3.PutObject!
      : onUpload((_world, uploadId) => ({
          query: { partNumber: '1', uploadId },
          headers: { 'x-amz-copy-source': source(world) },
        }))(world),
  CompleteMultipartUpload: onUpload((_world, uploadId, parts) =>
    parts.size === 0 ? s3.UploadPart! : { query: { uploadId }, ...xml('CompleteMultipartUpload', partList(parts)) },
  ),
  AbortMultipartUpload: onUpload((_world, uploadId) => ({ query: { uploadId } })),
  ListParts: onUpload((_world, uploadId) => ({ query: { uploadId } })),
  GetObjectAttributes: onFile(() => ({ headers: { 'x-amz-object-attributes': 'ETag,ObjectSize,StorageClass' } })),
  PutBucketAcl: () => ({ headers: { 'x-amz-acl': 'bucket-owner-full-control' } }),
  PutObjectAcl: onFile(() => ({ headers: { 'x-amz-acl': 'bucket-owner-full-control' } })),
  PutObjectTagging: onFile(() => xml('Tagging', '<TagSet/>')),
  PutBucketTagging: () => xml('Tagging', '<TagSet/>'),
  PutBucketAccelerateConfiguration: () => xml('AccelerateConfiguration', '<Status>Suspended</Status>'),
  PutBucketVersioning: () => xml('VersioningConfiguration', '<Status>Suspended</Status>'),
  PutBucketLogging: () => xml('BucketLoggingStatus'),
  PutBucketNotificationConfiguration: () => xml('NotificationConfiguration'),
  PutBucketRequestPayment: () => xml('RequestPaymentConfiguration', '<Payer>BucketOwner</Payer>'),
};

function recipeOf(route: Route): Recipe {
  const [method = '', template = ''] = route.address.split(' ');
  const make: Make = makes[route.name] ?? (template.endsWith('{key}') ? onFile() : () => ({}));
  return (world) => {
    const added = make(world);
    if (typeof added === 'function') return added(world);
    const query = new Map([...route.query].map(([name, [value]]) => [name, value ?? '']));
    for (const [name, value] of Object.entries(added.query ?? {})) query.set(name, value);
    const body: Body | undefined =
      added.body === undefined ? undefined : { kind: 'bytes', bytes: Buffer.from(added.body) };
    return {
      operation: `s3.${route.name}`,
      door: 's3',
      method,
      path: template,
      pathValues: { bucket: added.bucket ?? bucket(world), key: added.key ?? 'none' },
      query: [...query],
      headers: Object.entries(added.headers ?? {}),
      body,
      signing: signingOf(world, method),
    };
  };
}

function signingOf(world: World, method: string): NonNullable<Draft['signing']> {
  const { random } = world;
  const pair = world.member.pair!;
  if (random.chance(0.1) && method === 'GET') return { ...pair, isPresigned: true };
  if (method !== 'PUT') return pair;
  return {
    ...pair,
    payload: random.pick(['signed', 'signed', 'unsigned', 'chunks-signed', 'chunks-signed-trailer', 'chunks-trailer']),
  };
}

/** A browser's form: its fields carry the signature. */
const postObject: Recipe = (world) => {
  const own = bucket(world);
  const key = newKey(world);
  const expiration = new Date(serverClock.now() + 3_600_000).toISOString();
  const conditions = [{ bucket: own }, { key }, ['content-length-range', 0, 1_000_000]];
  const fields = postForm({ url: '', ...world.member.pair! }, { expiration, conditions }, { key }, serverClock.now());
  const parts = Object.entries(fields).map(([name, value]) => ({ name, content: Buffer.from(value) }));
  const file = { name: 'file', filename: 'a.txt', type: 'text/plain', content: someContent(world) };
  return {
    operation: 's3.PostObject',
    door: 's3',
    method: 'POST',
    path: '/{bucket}',
    pathValues: { bucket: own },
    query: [],
    headers: [],
    body: { kind: 'multipart', parts: [...parts, file] },
  };
};

/** A recipe for each operation of the gateway, by S3's name. */
export const s3: Readonly<Record<string, Recipe>> = Object.fromEntries(
  s3Operations.map((route) => [route.name, route.name === 'PostObject' ? postObject : recipeOf(route)]),
);
