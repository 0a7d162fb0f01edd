import type { S3Code } from '#server/domain/s3/s3-refusal.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import { checkedBody } from '../integrity.ts';
import { notHere } from '../not-here.ts';
import { bodyText, spaceOf } from '../request.ts';
import { readXml, s3Document, textIn, type Xml, type XmlNode } from '../xml.ts';

/** Returns the operation that answers what a bucket answers that never had this configured: an empty document. */
export function emptyConfiguration(name: string, content: readonly Xml[] = []): S3Operation {
  return async (_context, { bucket }) => {
    spaceOf(bucket);
    return { status: 200, body: s3Document(name, content) };
  };
}

/** The same, where S3 answers an error of its own. */
export function noConfiguration(code: S3Code): S3Operation {
  return async (_context, { bucket }) => {
    spaceOf(bucket);
    throw new S3Refusal(code, { details: { BucketName: bucket! } });
  };
}

/** Returns the operation that removes a configuration: there is none, so that nothing is to be done. */
export const removeNothing: S3Operation = async (_context, { bucket }) => {
  spaceOf(bucket);
  return { status: 204 };
};

/** A configuration that can be written where it says what is so anyhow. */
export interface FixedConfiguration {
  /** The parameter that names it. */
  readonly parameter: string;
  readonly root: string;
  /** Whether a document says what the bucket is. */
  readonly isSo: (configuration: XmlNode) => boolean;
}

/**
 * Returns the operation that takes a configuration which says what is so, and changes nothing. It throws NotImplemented
 * for another one, and MalformedXML.
 */
export function keepConfiguration({ parameter, root, isSo }: FixedConfiguration): S3Operation {
  return async (_context, request) => {
    spaceOf(request.bucket);
    if (!isSo(readXml(await bodyText(checkedBody(request).bytes), root))) throw notHere(parameter);
    return { status: 200 };
  };
}

/** What a bucket is, as clients write it. A bucket without versions is one whose versions are suspended. */
export const fixedConfigurations: ReadonlyArray<FixedConfiguration & { readonly name: string }> = [
  {
    name: 'PutBucketAccelerateConfiguration',
    parameter: 'accelerate',
    root: 'AccelerateConfiguration',
    isSo: (node) => textIn(node, 'Status') === 'Suspended',
  },
  {
    name: 'PutBucketLogging',
    parameter: 'logging',
    root: 'BucketLoggingStatus',
    isSo: (node) => node['LoggingEnabled'] === undefined,
  },
  {
    name: 'PutBucketNotificationConfiguration',
    parameter: 'notification',
    root: 'NotificationConfiguration',
    isSo: isEmpty,
  },
  {
    name: 'PutBucketRequestPayment',
    parameter: 'requestPayment',
    root: 'RequestPaymentConfiguration',
    isSo: (node) => textIn(node, 'Payer') === 'BucketOwner',
  },
  { name: 'PutBucketTagging', parameter: 'tagging', root: 'Tagging', isSo: hasNoTags },
  {
    name: 'PutBucketVersioning',
    parameter: 'versioning',
    root: 'VersioningConfiguration',
    isSo: (node) => textIn(node, 'Status') === 'Suspended',
  },
];

function isEmpty(node: XmlNode): boolean {
  return Object.keys(node).every((name) => name === '#text');
}

/** Whether a `Tagging` document names no tag. */
export function hasNoTags(tagging: XmlNode): boolean {
  return (tagging['TagSet'] ?? []).every((set) =>
    typeof set === 'string' ? set.trim() === '' : set['Tag'] === undefined,
  );
}
