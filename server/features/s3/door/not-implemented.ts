import { policies } from '#generated/policies.ts';
import { S3Refusal } from '../s3-refusal.ts';

/** The setting that encrypts all new files. */
const encryptionVariable = 'CUBBY_KEY_ENCRYPTION_KEY';

/** The field of a rule that keeps versions. */
const keptDays = 'keep_deleted_days';

/** Returns an operation of the REST API as texts name it: `GET /v1/objects`. */
function rest(operation: keyof typeof policies): string {
  const { method, path } = policies[operation];
  return `${method.toUpperCase()} ${path}`;
}

const tables = `Tables of metadata cannot be set up. List the bucket, or read what changes: ${rest('listEvents')}.`;

/** What this server lacks of S3, by the parameter that asks for it: what is missing, and what to do instead. */
export const missingFeatures: Readonly<Record<string, string>> = {
  abac: 'Attributes cannot decide who reads. An API key can be restricted to scopes and prefixes.',
  accelerate: 'There is no accelerated endpoint. Use this one.',
  annotation: 'Files have no annotations. Keep such values in user metadata, x-amz-meta-…, or in a file of their own.',
  append: 'Files cannot be appended to. Write the whole file, or copy it as a part of a multipart upload.',
  analytics: `There are no analytics. ${rest('getStats')} tells what is stored.`,
  cors: 'The CORS rules are fixed: scripts of every origin can use signed addresses.',
  encryption:
    `Encryption cannot be set over S3. The operator turns it on for all new files with ${encryptionVariable}. ` +
    'Otherwise encrypt files before they are sent, for example with rclone crypt or restic.',
  'intelligent-tiering': 'There is one storage class, STANDARD, and every file is available at once.',
  inventory: 'There is no inventory. List the bucket.',
  lifecycle: `Lifecycle rules cannot be set over S3. Rules per prefix delete files by age: ${rest('replaceSettings')}.`,
  logging: `Access logs are not written to buckets. ${rest('listActivity')} tells what was done.`,
  metadataAnnotationTable: tables,
  metadataConfiguration: tables,
  metadataInventoryTable: tables,
  metadataJournalTable: tables,
  metadataTable: tables,
  metrics: `Metrics of buckets cannot be set up. ${rest('getStats')} tells what is stored.`,
  notification: `Notifications cannot be set over S3. Webhooks send events: ${rest('createWebhook')}.`,
  'object-lock': 'Files cannot be locked. Give people who must not change them a key with the scope blob:read alone.',
  ownershipControls: 'Every file belongs to the account. Nothing else can be set.',
  policy:
    'The bucket decides who reads, and policies cannot change that. An API key can be restricted ' +
    'to scopes and prefixes.',
  publicAccessBlock: 'The bucket decides who reads. Write files that nobody else can read to the bucket private.',
  renameObject:
    `Files cannot be renamed over S3. Copy the file, then delete the old one. ${rest('copyObject')} ` +
    'moves it in one step.',
  replication: 'Replication cannot be set over S3. rclone sync keeps a copy elsewhere.',
  requestPayment: 'The owner of the bucket pays. Nothing else can be set.',
  restore: 'Nothing is archived. Every file is available at once.',
  select: 'Files cannot be queried. Read the file, or a range of it.',
  session: 'Sessions of S3 cannot be started. Sign each request.',
  tagging: 'Files and buckets have no tags. Keep such values in user metadata, x-amz-meta-….',
  torrent: 'There are no torrents. Presign an address.',
  versioning:
    `Versions cannot be turned on over S3. A rule with ${keptDays} keeps them per prefix: ` +
    `${rest('replaceSettings')}.`,
  website: 'There are no static sites. Files of the bucket public have public addresses.',
};

/** Whether a parameter names operations of S3 of which this server lacks at least one. */
export function isMissing(parameter: string): boolean {
  return Object.hasOwn(missingFeatures, parameter);
}

/** Returns the refusal of an operation that S3 has and this server lacks. @param parameter one that `isMissing()` */
export function notImplemented(parameter: string): S3Refusal {
  return new S3Refusal('NotImplemented', { message: missingFeatures[parameter]! });
}

const headers: ReadonlyArray<readonly [start: string, message: string]> = [
  [
    'x-amz-server-side-encryption',
    `It can only be AES256, where the operator has set ${encryptionVariable}, which encrypts all new files. ` +
      ('Otherwise encrypt files before they are sent, for example with rclone crypt or restic, ' +
        'and leave the header out.'),
  ],
  ['x-amz-tagging', `${missingFeatures['tagging']} Then leave the header out.`],
  ['x-amz-object-lock', `${missingFeatures['object-lock']} Leave the header out.`],
  ['x-amz-website-redirect-location', `${missingFeatures['website']} Leave the header out.`],
  ['x-amz-write-offset-bytes', missingFeatures['append']!],
];

/** Returns the refusal of a header that asks for something this server lacks. Ignoring it would mislead the client. */
export function headerNotImplemented(header: string): S3Refusal {
  const [, message = 'This server does not have what it asks for. Leave it out.'] =
    headers.find(([start]) => header.startsWith(start)) ?? [];
  return new S3Refusal('NotImplemented', { message: `${header}: ${message}`, details: { Header: header } });
}
