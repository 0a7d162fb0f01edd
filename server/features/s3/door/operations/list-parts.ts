import { maxS3Keys, maxS3PartNumber } from '../../limits.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { accountElements } from '../account-elements.ts';
import { checksumKindElements, partChecksumElements } from '../checksum-fields.ts';
import type { S3Operation } from '../context.ts';
import { countOf } from '../list-query.ts';
import { uploadOf } from '../multipart.ts';
import { parameter } from '../request.ts';
import { xmlReply } from '../xml.ts';

export const listParts: S3Operation = async (context, request) => {
  const owner = accountElements(context.caller.account);
  const most = countOf(parameter(request, 'max-parts'), 'max-parts', maxS3Keys);
  const marker = countOf(parameter(request, 'part-number-marker') ?? '0', 'part-number-marker', maxS3PartNumber);
  const { id, listed, lookup } = await uploadOf(context, request, 'status');
  const found = await context.metadata.read.chunkedUploads.partsOf(id, marker, most + 1);
  const page = found.slice(0, most);
  return xmlReply('ListPartsResult', {
    Bucket: request.bucket,
    Key: request.key,
    UploadId: lookup.handle,
    Initiator: owner,
    Owner: owner,
    StorageClass: 'STANDARD',
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.part ?? marker,
    MaxParts: most,
    IsTruncated: most > 0 && found.length > most,
    ...checksumKindElements(listed.checksum),
    Part: page.map(({ part, md5, blob, receivedAt }) => ({
      PartNumber: part,
      LastModified: timestamp(receivedAt),
      ETag: `"${md5}"`,
      Size: blob.sizeBytes,
      ...partChecksumElements(blob.checksum),
    })),
  });
};
