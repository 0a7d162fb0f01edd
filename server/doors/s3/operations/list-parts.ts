import type { StoredPart } from '#server/domain/chunked/chunked-upload.ts';
import { maxS3Keys, maxS3PartNumber } from '#server/domain/s3/limits.ts';
import { timestamp } from '#server/handlers/wire.ts';
import type { S3Operation } from '../context.ts';
import { partChecksumElements } from '../checksum-names.ts';
import { choiceElements, countOf, uploadIdOf, uploadOf } from '../multipart.ts';
import { accountElement } from '../owner.ts';
import { parameter } from '../request.ts';
import { element, s3Document, type Xml } from '../xml.ts';

/** ListParts. */
export const listParts: S3Operation = async (context, request) => {
  const { account } = context.caller;
  const most = countOf(parameter(request, 'max-parts'), 'max-parts', maxS3Keys);
  const marker = countOf(parameter(request, 'part-number-marker') ?? '0', 'part-number-marker', maxS3PartNumber);
  const upload = await uploadOf(context, request, 'status');
  const found = await context.metadata.read.chunkedUploads.partsOf(upload.id, marker, most + 1);
  const page = found.slice(0, most);
  const isTruncated = most > 0 && found.length > most;
  const xml = s3Document('ListPartsResult', [
    element('Bucket', request.bucket!),
    element('Key', request.key!),
    element('UploadId', uploadIdOf(request)),
    accountElement('Initiator', account),
    accountElement('Owner', account),
    element('StorageClass', 'STANDARD'),
    element('PartNumberMarker', marker),
    element('NextPartNumberMarker', page.at(-1)?.part ?? marker),
    element('MaxParts', most),
    element('IsTruncated', isTruncated),
    ...choiceElements(upload.listed),
    ...page.map(partElement),
  ]);
  return { status: 200, body: xml };
};

function partElement({ part, md5, blob, receivedAt }: StoredPart): Xml {
  return element('Part', [
    element('PartNumber', part),
    element('LastModified', timestamp(receivedAt)),
    element('ETag', `"${md5}"`),
    element('Size', blob.sizeBytes),
    ...partChecksumElements(blob.checksum),
  ]);
}
