import { checksumAlgorithms, type PartChecksum } from '#server/domain/checksums/algorithms.ts';
import type { ListedUpload } from '#server/features/uploads/chunked-upload.ts';
import { completeChunkedUpload } from '#server/features/uploads/complete-chunked-upload.ts';
import type { WholeFile } from '#server/features/uploads/complete-upload.ts';
import { unconditional } from '#server/domain/write-conditions.ts';
import { choiceOf, type ListedPart } from '../../choose-parts.ts';
import { maxS3PartNumber } from '../../limits.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { checksumsInHeaders, requireForm, trailerCheckedBody } from '../body/checked-body.ts';
import { nodesIn, readXmlList, textIn, textOf, type XmlNode } from '../body/xml-body.ts';
import { checksumElement, checksumElements } from '../checksum-fields.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { locationOf } from '../keys.ts';
import { readPartNumber, uploadOf } from '../multipart.ts';
import { uploadReceipt } from '../receipt.ts';
import type { S3Request } from '../request.ts';
import { unquoted, writeConditions } from '../write-headers.ts';
import { xmlReply } from '../xml.ts';
import { versionHeaders } from './find-object.ts';

/** CompleteMultipartUpload. A repeated request gets the same response for 24 hours, so that clients can retry. */
export const completeMultipartUpload: S3Operation = async (context, request) => {
  const { listed, lookup } = await uploadOf(context, request, 'complete');
  const { upload, outcome } = await completeChunkedUpload(context, {
    caller: context.caller,
    upload: lookup,
    checksumSha256: undefined,
    actor: context.actor,
    choice: choiceOf({
      uploadId: lookup.handle,
      listed: await listedParts(context, request),
      conditions: [writeConditions(request), listed.conditions ?? unconditional],
      requireWhole: (whole) => requireWhole(request, listed, whole),
    }),
  });
  const { bucket, key } = request;
  const content = {
    Location: locationOf(context, bucket!, key!),
    Bucket: bucket,
    Key: key,
    ETag: `"${outcome.etag}"`,
    ...checksumElements(outcome.checksum),
  };
  const { address } = upload.resolved;
  return xmlReply('CompleteMultipartUploadResult', content, {
    ...uploadReceipt(context, { ...outcome, object: address, at: context.clock.now() }),
    ...(await versionHeaders(context, { key: address.key, versionId: outcome.versionId })),
  });
};

/** @throws MalformedXML, InvalidArgument, InvalidRequest */
async function listedParts(context: S3Context, request: S3Request): Promise<ListedPart[]> {
  const list = { root: 'CompleteMultipartUpload', item: 'Part', maxItems: maxS3PartNumber };
  const root = await readXmlList(await textOf(context, trailerCheckedBody(request)), list);
  const parts = nodesIn(root, 'Part').map(listedPart);
  if (parts.length === 0)
    throw new S3Refusal('MalformedXML', {
      message: `List the parts of the file, from 1 to ${maxS3PartNumber} of them.`,
    });
  return parts;
}

function listedPart(node: XmlNode): ListedPart {
  const number = textIn(node, 'PartNumber')?.trim() ?? '';
  const etag = textIn(node, 'ETag')?.trim();
  if (!/^[0-9]{1,9}$/.test(number) || etag === undefined)
    throw new S3Refusal('MalformedXML', { message: 'Each Part must have a PartNumber and an ETag.' });
  return { part: readPartNumber(number, Number(number)), etag: unquoted(etag), checksums: listedChecksums(node) };
}

/** @throws InvalidRequest for an unknown checksum, which could not be compared */
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
 * Checks the size and the checksum that the client announces for the file. The checksum can end in the number of parts,
 * or leave it out.
 *
 * @throws InvalidRequest, BadDigest
 */
function requireWhole(
  request: S3Request,
  { checksum: chosen }: ListedUpload,
  { sizeBytes, checksum }: WholeFile,
): void {
  const size = request.header('x-amz-mp-object-size');
  if (size !== undefined && size !== String(sizeBytes))
    throw new S3Refusal('InvalidRequest', {
      message: `The parts have ${sizeBytes} bytes in all, and x-amz-mp-object-size says ${size}.`,
    });
  const type = request.header('x-amz-checksum-type')?.toUpperCase();
  if (type !== undefined && chosen && type !== chosen.type)
    throw new S3Refusal('InvalidRequest', { message: `The upload was begun with the checksum type ${chosen.type}.` });
  for (const { algorithm, value } of checksumsInHeaders(request)) {
    requireForm(algorithm, withoutCount(value));
    if (checksum?.algorithm !== algorithm)
      throw new S3Refusal('InvalidRequest', {
        message:
          `The upload was begun ${chosen ? `with the checksum ${chosen.algorithm}` : 'without a checksum'}, so ` +
          `${algorithm} of the whole file cannot be compared. Leave it out.`,
      });
    if (value !== checksum.value && value !== withoutCount(checksum.value))
      throw new S3Refusal('BadDigest', { message: `The whole file has another ${algorithm} than announced.` });
  }
}

function withoutCount(checksum: string): string {
  return checksum.replace(/-[0-9]+$/, '');
}
