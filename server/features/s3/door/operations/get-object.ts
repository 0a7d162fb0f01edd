import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { openContent } from '#server/domain/contents/read-content.ts';
import { partsOfFile, rangeOfPart } from '../../parts-of-file.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import type { ByteRange } from '#server/http/range.ts';
import type { Representation } from '#server/http/send-representation.ts';
import { checksumHeaders } from '../checksum-fields.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { partNumberOf } from '../multipart.ts';
import { endingWithFile, objectHeaders, savedIfRenderable } from '../object-headers.ts';
import { parameter, type S3Request } from '../request.ts';
import { requireHeaderText } from '../write-headers.ts';
import { findObject, findRow, versionHeaders, type FoundObject } from './find-object.ts';

export const getObject: S3Operation = async (context, request) => {
  const found = await findObject(context, request);
  const { object, content } = found;
  const { range, headers, checksum } = requestedPart(request, found);
  return {
    status: 200,
    headers: { ...headers, ...(await versionHeaders(context, object)) },
    range,
    body: fileOf(context, request, object, { checksum, open: (range) => openContent(context, content, range) }),
  };
};

/** HeadObject: GetObject without the bytes. Only a request for a part needs to know the blobs. */
export const headObject: S3Operation = async (context, request) => {
  if (parameter(request, 'partNumber') !== undefined) return getObject(context, request);
  const object = await findRow(context, request);
  return {
    status: 200,
    headers: await versionHeaders(context, object),
    body: fileOf(context, request, object, {
      checksum: object.clientProperties?.checksum,
      open: () => Promise.reject(new Error('A HEAD has no bytes.')),
    }),
  };
};

function fileOf(
  { clock }: Pick<S3Context, 'clock'>,
  request: S3Request,
  object: StoredObject,
  { checksum, open }: Pick<Representation, 'open'> & { readonly checksum: Checksum | undefined },
): Representation {
  const headers = { ...objectHeaders(object), ...requestedChecksum(request, checksum), ...overrides(request) };
  return {
    sizeBytes: object.sizeBytes,
    etag: object.etag,
    lastModifiedMs: object.createdAt,
    headers: endingWithFile(request.isPresigned ? savedIfRenderable(headers, object) : headers, object, clock.now()),
    open,
  };
}

interface RequestedPart {
  /** Undefined for the whole file. */
  readonly range?: ByteRange | undefined;
  readonly headers: Record<string, string>;
  readonly checksum: Checksum | undefined;
}

/**
 * Returns the part that `partNumber` asks for. A file that was uploaded in one request has one part.
 *
 * @throws InvalidPartNumber, InvalidRequest, InvalidArgument
 */
function requestedPart(request: S3Request, { object, content }: FoundObject): RequestedPart {
  const whole = object.clientProperties?.checksum;
  if (parameter(request, 'partNumber') === undefined) return { headers: {}, checksum: whole };
  if (request.header('range') !== undefined)
    throw new S3Refusal('InvalidRequest', {
      message: 'Cannot specify both Range header and partNumber query parameter',
    });
  const number = partNumberOf(request);
  const parts = partsOfFile(object, content);
  const all = parts ?? content.blobs;
  if (number > all.length)
    throw new S3Refusal('InvalidPartNumber', {
      details: { PartNumberRequested: String(number), ActualPartCount: String(all.length) },
    });
  const range = rangeOfPart(all, number);
  if (!parts) return { range, headers: {}, checksum: whole };
  const { checksum } = parts[number - 1]!;
  return {
    range,
    headers: { 'x-amz-mp-parts-count': String(parts.length) },
    checksum: whole && whole.algorithm === checksum?.algorithm ? { ...whole, value: checksum.value } : undefined,
  };
}

/** Returns the checksum headers, when the request asks for them. A range has none. */
function requestedChecksum({ header }: S3Request, checksum: Checksum | undefined): Record<string, string> {
  const isRequested = header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED' && header('range') === undefined;
  return isRequested ? checksumHeaders(checksum) : {};
}

/** Response headers that the signer of an address can set, by query parameter. */
export const overridableHeaders = {
  'response-cache-control': 'Cache-Control',
  'response-content-disposition': 'Content-Disposition',
  'response-content-encoding': 'Content-Encoding',
  'response-content-language': 'Content-Language',
  'response-content-type': 'Content-Type',
  'response-expires': 'Expires',
};

/** @throws InvalidArgument for a value that no header can have */
function overrides(request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, header] of Object.entries(overridableHeaders)) {
    const value = parameter(request, name);
    if (value === undefined) continue;
    requireHeaderText(header, value, name);
    headers[header] = value;
  }
  return headers;
}
