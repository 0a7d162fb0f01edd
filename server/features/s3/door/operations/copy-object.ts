import { rootIdOf } from '#server/domain/blob-id.ts';
import { startChecksum } from '#server/domain/checksums/algorithms.ts';
import { readContent } from '#server/domain/contents/read-content.ts';
import { yieldingTo } from '#server/features/files/give-way.ts';
import { copyS3Object, type CopyS3Object, type CopySource } from '../../copy-s3-object.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { checksumElements, chosenAlgorithm } from '../checksum-fields.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { uploadReceipt } from '../receipt.ts';
import type { S3Request } from '../request.ts';
import { asksForEncryption, encryptionHeaders, writeAddress, writeConditions, writingOf } from '../write-headers.ts';
import { xmlReply } from '../xml.ts';
import { versionHeaders } from './find-object.ts';
import { findCopySource, copySourceAddress, requireSourceConditions, sourceVersionHeaders } from './copy-source.ts';

export const copyObject: S3Operation = async (context, request) => {
  const target = writeAddress(context, request);
  const directive = request.header('x-amz-metadata-directive') ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw invalidArgument('x-amz-metadata-directive', 'x-amz-metadata-directive must be COPY or REPLACE.', directive);
  const source = copySourceAddress(context, request);
  if (asksForEncryption(request)) await requireEncrypted(context, request, source);
  const { object: copied, source: original } = await copyS3Object(context, {
    account: context.caller.account,
    source,
    target,
    writing: directive === 'REPLACE' ? writingOf(request) : undefined,
    checksum: await newChecksum(context, request, source),
    requireSource: (object) => requireSourceConditions(request, object),
    conditions: writeConditions(request),
    actor: context.actor,
    yielding: yieldingTo(context, context.caller, context.actor),
  });
  const content = {
    LastModified: timestamp(copied.createdAt),
    ETag: `"${copied.etag}"`,
    ...checksumElements(copied.clientProperties?.checksum),
  };
  return xmlReply('CopyObjectResult', content, {
    ...encryptionHeaders(request),
    ...uploadReceipt(context, { ...copied, object: copied, at: copied.createdAt }),
    ...(await versionHeaders(context, copied)),
    ...(await sourceVersionHeaders(context, source, original)),
  });
};

/**
 * Checks that the bytes of the source are encrypted, because a copy shares them. A file that replaces it meanwhile is
 * encrypted too. @throws InvalidRequest
 */
async function requireEncrypted(context: S3Context, request: S3Request, source: CopySource): Promise<void> {
  const { content } = await findCopySource(context, request, source);
  if (content.blobs.every(({ blobId }) => rootIdOf(blobId) !== undefined)) return;
  throw new S3Refusal('InvalidRequest', {
    message:
      'The source was stored before this server encrypted files, and a copy shares its bytes. Download it and ' +
      'upload it again, or leave x-amz-server-side-encryption out.',
  });
}

/**
 * Computes the checksum that the copy is to have. The bytes are read only when the source has another one, or a
 * composite one. @throws InvalidRequest
 */
async function newChecksum(
  context: S3Context,
  request: S3Request,
  source: CopySource,
): Promise<CopyS3Object['checksum']> {
  const algorithm = chosenAlgorithm(request);
  if (algorithm === undefined) return undefined;
  const { object, content } = await findCopySource(context, request, source);
  const { checksum } = object.clientProperties ?? {};
  if (checksum?.algorithm === algorithm && checksum.type === 'FULL_OBJECT') return undefined;
  const running = startChecksum(algorithm);
  for await (const chunk of await readContent(context, content)) {
    context.signal().throwIfAborted();
    running.update(chunk as Buffer);
  }
  return { contentId: object.contentId, value: { algorithm, type: 'FULL_OBJECT', value: running.digest() } };
}
