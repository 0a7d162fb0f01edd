import type { BlobReference } from '#server/domain/objects/contents-table.ts';
import { maxS3Keys, maxS3PartNumber } from '#server/domain/s3/limits.ts';
import { partsOfFile } from '#server/domain/s3/parts-of-file.ts';
import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import { checksumElements, partChecksumElements } from '../checksum-names.ts';
import { countOf } from '../multipart.ts';
import type { S3Request } from '../request.ts';
import { element, s3Document, type Xml } from '../xml.ts';
import { foundObject, type FoundObject } from './get-object.ts';

const attributes = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const;

type Attribute = (typeof attributes)[number];

/** GetObjectAttributes: facts about a file without its bytes, those that `x-amz-object-attributes` names. */
export const getObjectAttributes: S3Operation = async (context, request) => {
  const wanted = wantedAttributes(request);
  const found = await foundObject(context, request);
  const { object } = found;
  const elements: Readonly<Record<Attribute, () => Xml[]>> = {
    ETag: () => [element('ETag', object.etag)],
    Checksum: () =>
      object.clientProperties?.checksum
        ? [element('Checksum', checksumElements(object.clientProperties.checksum))]
        : [],
    ObjectParts: () => objectParts(found, request),
    StorageClass: () => [element('StorageClass', 'STANDARD')],
    ObjectSize: () => [element('ObjectSize', object.sizeBytes)],
  };
  const xml = s3Document(
    'GetObjectAttributesResponse',
    attributes.filter((name) => wanted.has(name)).flatMap((name) => elements[name]()),
  );
  return { status: 200, body: xml, headers: { 'Last-Modified': new Date(object.createdAt).toUTCString() } };
};

/** @throws InvalidArgument */
function wantedAttributes({ header }: S3Request): ReadonlySet<string> {
  const text = header('x-amz-object-attributes') ?? '';
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(attributes as readonly string[]).includes(name));
  if (unknown !== undefined) {
    const details = { ArgumentName: 'x-amz-object-attributes', ArgumentValue: unknown };
    throw new S3Refusal('InvalidArgument', {
      message: `x-amz-object-attributes names one or more of ${attributes.join(', ')}.`,
      details,
    });
  }
  return new Set(names);
}

/** Of a file that came whole there is nothing to say. */
function objectParts({ object, content }: FoundObject, { header }: S3Request): Xml[] {
  const parts = partsOfFile(object, content);
  if (!parts) return [];
  const most = countOf(header('x-amz-max-parts'), 'x-amz-max-parts', maxS3Keys);
  const marker = countOf(header('x-amz-part-number-marker') ?? '0', 'x-amz-part-number-marker', maxS3PartNumber);
  const page = parts.slice(marker, marker + most);
  return [
    element('ObjectParts', [
      element('PartsCount', parts.length),
      element('PartNumberMarker', marker),
      element('NextPartNumberMarker', page.length === 0 ? marker : marker + page.length),
      element('MaxParts', most),
      element('IsTruncated', most > 0 && marker + page.length < parts.length),
      ...page.map((part, at) => partElement(part, marker + at + 1, object.clientProperties?.checksum)),
    ]),
  ];
}

function partElement({ sizeBytes, checksum }: BlobReference, number: number, whole: Checksum | undefined): Xml {
  return element('Part', [
    element('PartNumber', number),
    element('Size', sizeBytes),
    ...(checksum?.algorithm === whole?.algorithm ? partChecksumElements(checksum) : []),
  ]);
}
