import { yieldingTo } from '#server/features/files/give-way.ts';
import { putPart } from '#server/features/uploads/put-part.ts';
import { readContent } from '#server/domain/contents/read-content.ts';
import { timestamp } from '#server/handlers/wire.ts';
import type { ByteRange } from '#server/http/range.ts';
import { checksummed } from '../body/checked-body.ts';
import { partChecksumElements } from '../checksum-fields.ts';
import type { S3Operation } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { partNumberOf, uploadOf } from '../multipart.ts';
import { xmlReply } from '../xml.ts';
import { findCopySource, copySourceAddress, sourceVersionHeaders } from './copy-source.ts';

/** UploadPartCopy: reads the bytes of a stored file, and writes them as a part. */
export const uploadPartCopy: S3Operation = async (context, request) => {
  const part = partNumberOf(request);
  const { listed, lookup } = await uploadOf(context, request, 'part');
  const address = copySourceAddress(context, request);
  const { object, content } = await findCopySource(context, request, address);
  const range = rangeOf(request.header('x-amz-copy-source-range'), object.sizeBytes);
  const source = await readContent(context, content, range);
  const { bytes, checksum } = checksummed(source, listed.checksum?.algorithm);
  const stored = await putPart(context, {
    caller: context.caller,
    upload: lookup,
    part,
    checksumSha256: undefined,
    body: { announcedBytes: range ? range.end - range.start + 1 : object.sizeBytes, bytes },
    signal: context.signal(),
    listed: { checksum },
    yielding: yieldingTo(context, context.caller, context.actor),
  }).finally(() => source.destroy());
  const copied = {
    LastModified: timestamp(context.clock.now()),
    ETag: `"${stored.md5}"`,
    ...partChecksumElements(checksum()),
  };
  return xmlReply('CopyPartResult', copied, await sourceVersionHeaders(context, address, object));
};

/** Reads `bytes=first-last`, the only form, which must lie within the source. @throws InvalidArgument */
function rangeOf(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^bytes=([0-9]{1,15})-([0-9]{1,15})$/.exec(header) ?? [];
  const range = { start: Number(first), end: Number(last) };
  if (first === undefined || range.start > range.end || range.end >= sizeBytes)
    throw invalidArgument(
      'x-amz-copy-source-range',
      `x-amz-copy-source-range must read bytes=first-last, within the ${sizeBytes} bytes of the source.`,
      header,
    );
  return range;
}
