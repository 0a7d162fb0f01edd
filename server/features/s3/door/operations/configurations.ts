import type { S3Code } from '../../error-meanings.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { checkedBody } from '../body/checked-body.ts';
import { readXml, textIn, textOf, type XmlNode } from '../body/xml-body.ts';
import type { S3Operation } from '../context.ts';
import { notImplemented } from '../not-implemented.ts';
import { spaceOf } from '../request.ts';
import { xmlReply, type XmlElements } from '../xml.ts';

/** Returns an operation that sends a configuration that never changes. S3 sends an empty one for a new bucket. */
export function fixedConfiguration(root: string, content: XmlElements = {}): S3Operation {
  return async (_context, { bucket }) => {
    spaceOf(bucket);
    return xmlReply(root, content);
  };
}

/** Returns an operation that refuses, as S3 does for a bucket without this configuration. */
export function noConfiguration(code: S3Code): S3Operation {
  return async (_context, { bucket }) => {
    spaceOf(bucket);
    throw new S3Refusal(code, { details: { BucketName: bucket! } });
  };
}

/** GetBucketVersioning: `Enabled` if a rule keeps what is deleted or replaced, in any bucket. */
export const getBucketVersioning: S3Operation = async ({ metadata, caller }, { bucket }) => {
  spaceOf(bucket);
  const rules = await metadata.read.rules.listOf(caller.account.id);
  const isEnabled = rules.some(({ keepDeletedDays }) => keepDeletedDays !== null);
  return xmlReply('VersioningConfiguration', isEnabled ? { Status: 'Enabled' } : {});
};

/**
 * GetBucketEncryption: AES256 if the server encrypts all new files.
 *
 * @throws ServerSideEncryptionConfigurationNotFoundError
 */
export const getBucketEncryption: S3Operation = async (context, request) => {
  if (!context.encryptsFiles)
    return noConfiguration('ServerSideEncryptionConfigurationNotFoundError')(context, request);
  spaceOf(request.bucket);
  const rule = { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } };
  return xmlReply('ServerSideEncryptionConfiguration', { Rule: rule });
};

/** DeleteBucketEncryption. @throws NotImplemented if the server encrypts all new files */
export const deleteBucketEncryption: S3Operation = async (context, request) => {
  if (context.encryptsFiles) throw notImplemented('encryption');
  return removeConfiguration(context, request);
};

/** Removes a configuration of a bucket, which has none. */
export const removeConfiguration: S3Operation = async (_context, { bucket }) => {
  spaceOf(bucket);
  return { status: 204 };
};

/**
 * The configurations that clients can write, by query parameter: the root element, and a check that the document says
 * what the bucket is.
 */
const kept = {
  accelerate: ['AccelerateConfiguration', isSuspended],
  logging: ['BucketLoggingStatus', (node) => node['LoggingEnabled'] === undefined],
  notification: ['NotificationConfiguration', isEmpty],
  requestPayment: ['RequestPaymentConfiguration', (node) => textIn(node, 'Payer') === 'BucketOwner'],
  tagging: ['Tagging', hasNoTags],
  // Suspending the versions of a bucket leaves its files with one version.
  versioning: ['VersioningConfiguration', isSuspended],
} satisfies Record<string, readonly [root: string, isSo: (node: XmlNode) => boolean]>;

/**
 * Returns an operation that takes a configuration which says what the bucket is, and changes nothing. The operation
 * throws NotImplemented for another configuration, and MalformedXML.
 */
export function keepConfiguration(parameter: keyof typeof kept): S3Operation {
  const [root, isSo] = kept[parameter];
  return async (context, request) => {
    spaceOf(request.bucket);
    if (!isSo(readXml(await textOf(context, checkedBody(request)), root))) throw notImplemented(parameter);
    return { status: 200 };
  };
}

function isSuspended(node: XmlNode): boolean {
  return textIn(node, 'Status') === 'Suspended';
}

function isEmpty(node: XmlNode): boolean {
  return Object.keys(node).every((name) => name === '#text');
}

/** Whether a `Tagging` document names no tag. */
export function hasNoTags(tagging: XmlNode): boolean {
  return (tagging['TagSet'] ?? []).every((set) =>
    typeof set === 'string' ? set.trim() === '' : set['Tag'] === undefined,
  );
}
