import { putPart } from '#server/domain/chunked/put-part.ts';
import { readContent } from '#server/domain/objects/read-content.ts';
import { startChecksum } from '#server/domain/checksums/algorithms.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { ByteRange } from '#server/http/range.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { partChecksumElements } from '../checksum-names.ts';
import type { S3Operation } from '../context.ts';
import { partNumberOf, uploadIdOf, uploadOf } from '../multipart.ts';
import { element, s3Document } from '../xml.ts';
import { copySource } from './copy-source.ts';

/** UploadPartCopy: the bytes come from a file that is there, and are read and written once. */
export const uploadPartCopy: S3Operation = async (context, request) => {
  const part = partNumberOf(request);
  const upload = await uploadOf(context, request, 'part');
  const { object, content } = await copySource(context, request);
  const range = rangeOf(request.header('x-amz-copy-source-range'), object.sizeBytes);
  const running = upload.listed.checksum && startChecksum(upload.listed.checksum.algorithm);
  const checksum = () =>
    upload.listed.checksum && running
      ? { algorithm: upload.listed.checksum.algorithm, value: running.digest() }
      : undefined;
  const source = await readContent(context, content, range);

  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      running?.update(chunk);
      yield chunk;
    }
  }

  const stored = await putPart(context, {
    caller: context.caller,
    handle: uploadIdOf(request),
    part,
    checksumSha256: undefined,
    body: { announcedBytes: range ? range.end - range.start + 1 : object.sizeBytes, bytes: bytes() },
    signal: context.signal,
    listed: { upload, checksum },
  }).finally(() => source.destroy());
  const xml = s3Document('CopyPartResult', [
    element('LastModified', timestamp(context.clock.now())),
    element('ETag', `"${stored.md5}"`),
    ...partChecksumElements(checksum()),
  ]);
  return { status: 200, body: xml };
};

/** The one form that there is: `bytes=first-last`, within the source. @throws InvalidArgument */
function rangeOf(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^bytes=([0-9]{1,15})-([0-9]{1,15})$/.exec(header) ?? [];
  const range = { start: Number(first), end: Number(last) };
  if (first === undefined || range.start > range.end || range.end >= sizeBytes) {
    const message = `x-amz-copy-source-range must read bytes=first-last, within the ${sizeBytes} bytes of the source.`;
    throw new S3Refusal('InvalidArgument', {
      message,
      details: { ArgumentName: 'x-amz-copy-source-range', ArgumentValue: header },
    });
  }
  return range;
}
