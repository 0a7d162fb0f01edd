import { maxS3Keys, maxS3PartNumber } from '../../limits.ts';
import { partsOfFile } from '../../parts-of-file.ts';
import { checksumElements, partChecksumElements } from '../checksum-fields.ts';
import type { S3Operation } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { countOf } from '../list-query.ts';
import type { S3Request } from '../request.ts';
import { xmlReply, type XmlElements } from '../xml.ts';
import { findObject, versionHeaders, type FoundObject } from './find-object.ts';

const attributes = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'];

/** GetObjectAttributes: the facts about a file that `x-amz-object-attributes` names, without its bytes. */
export const getObjectAttributes: S3Operation = async (context, request) => {
  const wanted = wantedAttributes(request);
  const found = await findObject(context, request);
  const { object } = found;
  const checksum = object.clientProperties?.checksum;
  const all: XmlElements = {
    ETag: object.etag,
    Checksum: checksum && checksumElements(checksum),
    ObjectParts: wanted.has('ObjectParts') ? objectParts(found, request) : undefined,
    StorageClass: 'STANDARD',
    ObjectSize: object.sizeBytes,
  };
  return xmlReply(
    'GetObjectAttributesResponse',
    Object.fromEntries(Object.entries(all).filter(([name]) => wanted.has(name))),
    { 'Last-Modified': new Date(object.createdAt).toUTCString(), ...(await versionHeaders(context, object)) },
  );
};

/** @throws InvalidArgument */
function wantedAttributes({ header }: S3Request): ReadonlySet<string> {
  const names = (header('x-amz-object-attributes') ?? '').split(',').map((name) => name.trim());
  const unknown = names.find((name) => !attributes.includes(name));
  if (unknown !== undefined)
    throw invalidArgument(
      'x-amz-object-attributes',
      `x-amz-object-attributes must name one or more of ${attributes.join(', ')}.`,
      unknown,
    );
  return new Set(names);
}

/** Returns one page of the parts, or undefined for a file that was uploaded in one request. @throws InvalidArgument */
function objectParts({ object, content }: FoundObject, { header }: S3Request): XmlElements | undefined {
  const parts = partsOfFile(object, content);
  if (!parts) return undefined;
  const algorithm = object.clientProperties?.checksum?.algorithm;
  const most = countOf(header('x-amz-max-parts'), 'x-amz-max-parts', maxS3Keys);
  const marker = countOf(header('x-amz-part-number-marker') ?? '0', 'x-amz-part-number-marker', maxS3PartNumber);
  const page = parts.slice(marker, marker + most);
  return {
    PartsCount: parts.length,
    PartNumberMarker: marker,
    NextPartNumberMarker: marker + page.length,
    MaxParts: most,
    IsTruncated: most > 0 && marker + page.length < parts.length,
    Part: page.map(({ sizeBytes, checksum }, at) => ({
      PartNumber: marker + at + 1,
      Size: sizeBytes,
      ...(checksum?.algorithm === algorithm && partChecksumElements(checksum)),
    })),
  };
}
