import type { WholeFile } from '#server/domain/chunked/part-choice.ts';
import { completeChunkedUpload } from '#server/domain/chunked/complete-chunked-upload.ts';
import { checksumAlgorithms, type PartChecksum } from '#server/domain/checksums/algorithms.ts';
import { maxS3PartNumber } from '#server/domain/s3/limits.ts';
import { choiceOf, type ListedPart } from '#server/domain/s3/choose-parts.ts';
import type { ListedUpload } from '#server/domain/chunked/listed-upload.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { checksumElement, checksumElements } from '../checksum-names.ts';
import type { S3Operation } from '../context.ts';
import { checksumsInHeaders, requireForm, trailerCheckedBytes } from '../integrity.ts';
import { locationOf } from '../key-address.ts';
import { addressOf, uploadIdOf, uploadOf } from '../multipart.ts';
import { bodyText, type S3Request } from '../request.ts';
import { writeConditions } from '../write-headers.ts';
import { element, nodesIn, readXmlList, s3Document, textIn, type XmlNode } from '../xml.ts';

/**
 * CompleteMultipartUpload. Asked again it answers the same for 24 hours, so that a client whose connection broke may
 * retry.
 */
export const completeMultipartUpload: S3Operation = async (context, request) => {
  const { listed } = await uploadOf(context, request, 'complete');
  const parts = await listedParts(await bodyText(trailerCheckedBytes(request)));
  const { outcome } = await completeChunkedUpload(context, {
    caller: context.caller,
    handle: uploadIdOf(request),
    checksumSha256: undefined,
    actor: context.actor,
    choice: choiceOf({
      uploadId: uploadIdOf(request),
      listed: parts,
      conditions: writeConditions(request),
      requireWhole: (whole) => requireWhole(request, listed, whole),
    }),
  });
  const { key } = addressOf(context, request);
  const xml = s3Document('CompleteMultipartUploadResult', [
    element('Location', locationOf(context, request.bucket!, key)),
    element('Bucket', request.bucket!),
    element('Key', key),
    element('ETag', `"${outcome.etag}"`),
    ...checksumElements(outcome.checksum),
  ]);
  return { status: 200, body: xml };
};

/** @throws MalformedXML, InvalidArgument, InvalidRequest */
async function listedParts(text: string): Promise<ListedPart[]> {
  const parts = nodesIn(
    await readXmlList(text, { root: 'CompleteMultipartUpload', item: 'Part', maxItems: maxS3PartNumber }),
    'Part',
  ).map(listedPart);
  if (parts.length === 0)
    throw new S3Refusal('MalformedXML', {
      message: `Name the parts of the file, from 1 to ${maxS3PartNumber} of them.`,
    });
  return parts;
}

function listedPart(node: XmlNode): ListedPart {
  const number = textIn(node, 'PartNumber')?.trim() ?? '';
  const etag = textIn(node, 'ETag')
    ?.trim()
    .replace(/^"(.*)"$/, '$1');
  if (!/^[0-9]{1,9}$/.test(number) || etag === undefined)
    throw new S3Refusal('MalformedXML', { message: 'Each part has a PartNumber and an ETag.' });
  const part = Number(number);
  if (part < 1 || part > maxS3PartNumber) {
    throw new S3Refusal('InvalidArgument', {
      message: `Part number must be an integer between 1 and ${maxS3PartNumber}, inclusive`,
      details: { ArgumentName: 'partNumber', ArgumentValue: number },
    });
  }
  return { part, etag, checksums: listedChecksums(node) };
}

/** @throws InvalidRequest for one that this server does not know: it could not compare it */
function listedChecksums(node: XmlNode): PartChecksum[] {
  return Object.keys(node)
    .filter((name) => name.startsWith('Checksum'))
    .map((name) => {
      const algorithm = checksumAlgorithms.find((one) => checksumElement(one) === name);
      if (algorithm === undefined)
        throw new S3Refusal('InvalidRequest', { message: `This server does not know the element ${name} of a part.` });
      return { algorithm, value: textIn(node, name)!.trim() };
    });
}

/**
 * Whether the file is what the client says that it is: its size, and its checksum, with or without the number of parts.
 */
function requireWhole(
  request: S3Request,
  { checksum: chosen }: ListedUpload,
  { sizeBytes, checksum }: WholeFile,
): void {
  const size = request.header('x-amz-mp-object-size');
  if (size !== undefined && size !== String(sizeBytes))
    throw new S3Refusal('InvalidRequest', {
      message: 'The parts together have another size than x-amz-mp-object-size says.',
    });
  const type = request.header('x-amz-checksum-type')?.toUpperCase();
  if (type !== undefined && chosen && type !== chosen.type)
    throw new S3Refusal('InvalidRequest', { message: `The upload was begun with the checksum type ${chosen.type}.` });
  for (const { algorithm, value } of checksumsInHeaders(request)) {
    requireForm(algorithm, value.replace(/-[0-9]+$/, ''));
    if (checksum?.algorithm !== algorithm) {
      throw new S3Refusal('InvalidRequest', {
        message: `The upload was begun ${chosen ? `with the checksum ${chosen.algorithm}` : 'without a checksum'}, so ${algorithm} of the whole cannot be compared. Leave it out.`,
      });
    }
    if (value !== checksum.value && value !== checksum.value.replace(/-[0-9]+$/, ''))
      throw new S3Refusal('BadDigest', { message: `The parts together have another ${algorithm} than announced.` });
  }
}
