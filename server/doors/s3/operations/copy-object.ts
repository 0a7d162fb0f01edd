import { copyS3Object, type CopyS3Object } from '#server/domain/s3/copy-s3-object.ts';
import { checksumAlgorithms, startChecksum } from '#server/domain/checksums/algorithms.ts';
import { readContent } from '#server/domain/objects/read-content.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { checksumElements } from '../checksum-names.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { refuseLegacyWrite } from '../guard-s3.ts';
import { checkedKey, spaceOf, type S3Request } from '../request.ts';
import { refuseUnknownWishes, writeConditions, writingOf } from '../write-headers.ts';
import { element, s3Document } from '../xml.ts';
import { copySource, copySourceAddress, requireSourceConditions } from './copy-source.ts';

/** CopyObject. */
export const copyObject: S3Operation = async (context, request) => {
  const space = spaceOf(request.bucket);
  refuseLegacyWrite(request.bucket);
  const key = checkedKey(request.key!);
  refuseUnknownWishes(request, space, context.caller.account.id);
  const directive = request.header('x-amz-metadata-directive') ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw new S3Refusal('InvalidArgument', {
      message: 'x-amz-metadata-directive must be COPY or REPLACE.',
      details: { ArgumentName: 'x-amz-metadata-directive', ArgumentValue: directive },
    });
  const source = copySourceAddress(context, request);
  const copied = await copyS3Object(context, {
    account: context.caller.account,
    source,
    target: { accountId: context.caller.account.id, space, key },
    writing: directive === 'REPLACE' ? writingOf(request) : undefined,
    checksum: await wantedChecksum(context, request),
    requireSource: (object) => requireSourceConditions(request, object),
    conditions: writeConditions(request),
    actor: context.actor,
  });
  return {
    status: 200,
    body: s3Document('CopyObjectResult', [
      element('LastModified', timestamp(copied.createdAt)),
      element('ETag', `"${copied.etag}"`),
      ...checksumElements(copied.clientProperties?.checksum),
    ]),
  };
};

/**
 * The checksum that the copy is asked to have, where its source has another one, or one of its parts alone: only then
 * its bytes are read. @throws InvalidRequest
 */
async function wantedChecksum(context: S3Context, request: S3Request): Promise<CopyS3Object['checksum']> {
  const wanted = request.header('x-amz-checksum-algorithm')?.toUpperCase();
  if (wanted === undefined) return undefined;
  const algorithm = checksumAlgorithms.find((name) => name === wanted);
  if (algorithm === undefined)
    throw new S3Refusal('InvalidRequest', {
      message: `x-amz-checksum-algorithm must be one of ${checksumAlgorithms.join(', ')}.`,
    });
  const { object, content } = await copySource(context, request);
  const { checksum } = object.clientProperties ?? {};
  if (checksum?.algorithm === algorithm && checksum.type === 'FULL_OBJECT') return undefined;
  const running = startChecksum(algorithm);
  for await (const chunk of await readContent(context, content)) {
    context.signal.throwIfAborted();
    running.update(chunk as Buffer);
  }
  return { contentId: object.contentId, value: { algorithm, type: 'FULL_OBJECT', value: running.digest() } };
}
