import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';

const noTables = 'There are no tables of metadata. List the bucket, or GET /v1/events for what changes.';

/** The parameters of S3 that this server lacks: what is missing, and what to do instead. */
const parameters: Readonly<Record<string, string>> = {
  abac: 'There are no attributes that decide who reads. An API key can be restricted to scopes and prefixes.',
  accelerate: 'There is no accelerated endpoint. Use this one.',
  append: 'Files cannot be appended to. Write the whole file, or copy it as a part of a multipart upload.',
  annotation: 'Files have no annotations. Keep such values in user metadata, x-amz-meta-…, or in a file of their own.',
  analytics: 'There are no analytics. GET /v1/account/stats tells what is stored.',
  cors: 'The CORS rules are fixed: scripts of every origin can use signed addresses.',
  encryption:
    'The server encrypts no files. Encrypt them before they are sent, for example with rclone crypt or restic.',
  'intelligent-tiering': 'There is one storage class, STANDARD, and every file is available at once.',
  inventory: 'There is no inventory. List the bucket.',
  lifecycle: 'Lifecycle rules cannot be set over S3. Rules per prefix delete files by age: PUT /v1/account/settings.',
  logging: 'There are no access logs in buckets. GET /v1/account/activity tells what was done.',
  metadataAnnotationTable: noTables,
  metadataConfiguration: noTables,
  metadataInventoryTable: noTables,
  metadataJournalTable: noTables,
  metadataTable: noTables,
  metrics: 'There are no metrics of buckets. GET /v1/account/stats tells what is stored.',
  notification: 'There are no notifications. GET /v1/account/activity tells what was done.',
  'object-lock': 'Files cannot be locked. Give people who must not change them a key with the scope blob:read alone.',
  ownershipControls: 'Every file belongs to the account. Nothing else can be set.',
  policy:
    'The bucket decides who reads, and policies cannot change that. An API key can be restricted to scopes and prefixes.',
  publicAccessBlock: 'The bucket decides who reads. Write files that nobody else can read to the bucket private.',
  renameObject:
    'Files cannot be renamed over S3. Copy the file, then delete the old one. POST /v1/objects/copy moves it in one step.',
  replication: 'The server replicates nothing. rclone sync keeps a copy elsewhere.',
  requestPayment: 'The owner of the bucket pays. Nothing else can be set.',
  restore: 'Nothing is archived. Every file is available at once.',
  select: 'Files cannot be queried. Read the file, or a range of it.',
  session: 'There are no sessions. Sign each request.',
  tagging: 'Files and buckets have no tags. Keep such values in user metadata, x-amz-meta-….',
  torrent: 'There are no torrents. Presign an address.',
  versioning:
    'Versions cannot be turned on over S3. A rule with keep_deleted_days keeps them per prefix: PUT /v1/account/settings.',
  website: 'There are no static sites. Files of the bucket public have public addresses.',
};

/** Whether a parameter names operations of S3 of which this server lacks at least one. */
export function isMissing(parameter: string): boolean {
  return Object.hasOwn(parameters, parameter);
}

/** Returns the refusal of an operation that S3 has and this server lacks. @param parameter one that `isMissing()` */
export function notImplemented(parameter: string): S3Refusal {
  return new S3Refusal('NotImplemented', { message: parameters[parameter]! });
}

const headers: ReadonlyArray<readonly [start: string, words: string]> = [
  ['x-amz-server-side-encryption', `${parameters['encryption']} Then leave the header out.`],
  ['x-amz-tagging', `${parameters['tagging']} Then leave the header out.`],
  ['x-amz-object-lock', `${parameters['object-lock']} Leave the header out.`],
  ['x-amz-website-redirect-location', `${parameters['website']} Leave the header out.`],
  ['x-amz-write-offset-bytes', parameters['append']!],
];

/** Returns the refusal of a header that asks for something this server lacks. Ignoring it would mislead the client. */
export function headerNotImplemented(header: string): S3Refusal {
  const [, words = 'This server does not have what it asks for. Leave it out.'] =
    headers.find(([start]) => header.startsWith(start)) ?? [];
  return new S3Refusal('NotImplemented', { message: `${header}: ${words}`, details: { Header: header } });
}
