import { yieldingTo } from '#server/features/files/give-way.ts';
import { putPart } from '#server/features/uploads/put-part.ts';
import { checkedBody } from '../body/checked-body.ts';
import { partChecksumHeaders } from '../checksum-fields.ts';
import type { S3Operation } from '../context.ts';
import { partNumberOf, uploadOf } from '../multipart.ts';
import { requireLength } from './put-object.ts';

export const uploadPart: S3Operation = async (context, request) => {
  const part = partNumberOf(request);
  requireLength(request);
  const { listed, lookup } = await uploadOf(context, request, 'part');
  const { bytes, checksum } = checkedBody(request, listed.checksum?.algorithm);
  const stored = await putPart(context, {
    caller: context.caller,
    upload: lookup,
    part,
    checksumSha256: undefined,
    body: { announcedBytes: request.body.announcedBytes, bytes },
    signal: context.signal(),
    listed: { checksum },
    yielding: yieldingTo(context, context.caller, context.actor),
  });
  context.noteStored(stored.blob.sizeBytes);
  return { status: 200, headers: { ETag: `"${stored.md5}"`, ...partChecksumHeaders(checksum()) } };
};
