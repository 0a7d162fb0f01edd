import { completeChunkedUpload } from '#server/domain/chunked/complete-chunked-upload.ts';
import type { UploadPart } from '#server/domain/chunked/chunked-upload.ts';
import { bytesOf } from '#server/domain/chunked/check-parts.ts';
import { checksumAlgorithms, isChecksumValue } from '#server/domain/s3/checksums/algorithms.ts';
import { maxS3PartNumber } from '#server/domain/s3/limits.ts';
import type { ListedPart } from '#server/domain/s3/multipart/choose-parts.ts';
import type { S3Upload } from '#server/domain/s3/multipart/s3-upload.ts';
import type { StoredChecksum } from '#server/domain/s3/s3-properties.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import { md5CheckedBytes } from '../integrity.ts';
import { addressOf, checksumElement, uploadIdOf, uploadOf } from '../multipart.ts';
import { bodyText, type S3Request } from '../request.ts';
import { writeConditions } from '../write-headers.ts';
import { element, nodesIn, readXml, s3Document, textIn, type XmlNode } from '../xml.ts';

/** CompleteMultipartUpload. Asked again it answers the same for 24 hours, so that a client whose connection broke may retry. */
export const completeMultipartUpload: S3Operation = async (context, request) => {
  const { s3 } = await uploadOf(context, request, 'complete');
  const listed = listedParts(await bodyText(md5CheckedBytes(request)), s3);
  const { outcome } = await completeChunkedUpload(context, {
    caller: context.caller,
    handle: uploadIdOf(request),
    checksumSha256: undefined,
    actor: context.actor,
    s3: { listed, conditions: writeConditions(request), checkWhole: (checksum, parts) => checkWhole(request, s3, checksum, parts) },
  });
  const { key } = addressOf(context, request);
  const { checksum } = outcome;
  const xml = s3Document('CompleteMultipartUploadResult', [
    element('Location', `${context.s3Url}/${request.bucket}/${key.split('/').map(encodeURIComponent).join('/')}`),
    element('Bucket', request.bucket!),
    element('Key', key),
    element('ETag', `"${outcome.etag}"`),
    ...(checksum ? [element(checksumElement(checksum.algorithm), checksum.value), element('ChecksumType', checksum.type)] : []),
  ]);
  return { status: 200, xml };
};

/** Its element, number, ETag in two references, and checksum, each begun and ended. */
const marksPerPart = 10;

/** @throws MalformedXML, InvalidRequest for a checksum that the parts do not have */
function listedParts(text: string, s3: S3Upload): ListedPart[] {
  const parts = nodesIn(readXml(text, 'CompleteMultipartUpload', marksPerPart * maxS3PartNumber), 'Part').map((node) => listedPart(node, s3));
  if (parts.length === 0 || parts.length > maxS3PartNumber) throw new S3Refusal('MalformedXML', { message: `Name the parts of the file, from 1 to ${maxS3PartNumber} of them.` });
  return parts;
}

function listedPart(node: XmlNode, { checksum: chosen }: S3Upload): ListedPart {
  const number = textIn(node, 'PartNumber')?.trim() ?? '';
  const etag = textIn(node, 'ETag')?.trim().replace(/^"(.*)"$/, '$1');
  if (!/^[0-9]{1,9}$/.test(number) || etag === undefined) throw new S3Refusal('MalformedXML', { message: 'Each part has a PartNumber and an ETag.' });
  const part = Number(number);
  if (part < 1 || part > maxS3PartNumber) {
    throw new S3Refusal('InvalidArgument', { message: `Part numbers go from 1 to ${maxS3PartNumber}.`, details: { ArgumentName: 'partNumber', ArgumentValue: number } });
  }
  return { part, etag, checksum: chosen ? textIn(node, checksumElement(chosen.algorithm))?.trim() : undefined };
}

/** Whether the file is what the client says that it is: its size, and its checksum, with or without the number of parts. */
function checkWhole({ header }: S3Request, { checksum: chosen }: S3Upload, checksum: StoredChecksum | undefined, parts: readonly UploadPart[]): void {
  const size = header('x-amz-mp-object-size');
  if (size !== undefined && size !== String(bytesOf(parts))) throw new S3Refusal('InvalidRequest', { message: 'The parts together have another size than x-amz-mp-object-size says.' });
  const type = header('x-amz-checksum-type')?.toUpperCase();
  if (type !== undefined && chosen && type !== chosen.type) throw new S3Refusal('InvalidRequest', { message: `The upload was begun with the checksum type ${chosen.type}.` });
  for (const algorithm of checksumAlgorithms) {
    const given = header(`x-amz-checksum-${algorithm.toLowerCase()}`)?.trim();
    if (given === undefined || !checksum || checksum.algorithm !== algorithm) continue;
    const bare = given.replace(/-[0-9]+$/, '');
    if (!isChecksumValue(algorithm, bare)) throw new S3Refusal('InvalidRequest', { message: `The value of x-amz-checksum-${algorithm.toLowerCase()} is no base64 of the right length.` });
    if (given !== checksum.value && given !== checksum.value.replace(/-[0-9]+$/, '')) {
      throw new S3Refusal('BadDigest', { message: `The parts together have another ${algorithm} than announced. The upload stays open.` });
    }
  }
}
