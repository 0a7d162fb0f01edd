import type { Content } from '#server/domain/objects/contents-table.ts';
import { isExpired, type StoredObject } from '#server/domain/objects/object.ts';
import { inlineBytes, readContent } from '#server/domain/objects/read-content.ts';
import { partsOfFile, rangeOfPart } from '#server/domain/s3/parts-of-file.ts';
import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { ByteRange } from '#server/http/range.ts';
import type { Representation } from '#server/http/send-stream.ts';
import { checksumHeaders } from '../checksum-names.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { partNumberOf } from '../multipart.ts';
import { endingWithFile, headerText, objectHeaders } from '../object-headers.ts';
import { parameter, spaceOf, type S3Request } from '../request.ts';
import { requireHeaderText } from '../write-headers.ts';

/** A file and the bytes that it points to. */
export interface FoundObject {
  readonly object: StoredObject;
  readonly content: Content;
}

/** A file that is replaced between two reads is looked up again; more often than this it cannot be mere chance. */
const maxTries = 5;

/**
 * The file that a request names.
 *
 * @throws NoSuchKey, NoSuchVersion
 */
export async function foundObject(
  { metadata, clock, caller }: Pick<S3Context, 'metadata' | 'clock' | 'caller'>,
  request: S3Request,
): Promise<FoundObject> {
  for (let tries = 0; tries < maxTries; tries++) {
    const object = await foundRow({ metadata, clock, caller }, request);
    const content = await metadata.read.contents.find(object.contentId);
    if (content) return { object, content };
  }
  throw new Error(`The row of ${caller.account.id}/${request.key} points to a content that is not there.`);
}

/** The same without its bytes. @throws NoSuchKey, NoSuchVersion */
async function foundRow(
  { metadata, clock, caller }: Pick<S3Context, 'metadata' | 'clock' | 'caller'>,
  request: S3Request,
): Promise<StoredObject> {
  refuseVersion(request);
  const address = { accountId: caller.account.id, space: spaceOf(request.bucket), key: request.key! };
  const object = await metadata.read.objects.find(address);
  if (!object || isExpired(object, clock.now())) throw new S3Refusal('NoSuchKey', { details: { Key: address.key } });
  return object;
}

/**
 * Files have one version, which clients call `null`. @throws NoSuchVersion, InvalidArgument for what could be the name
 * of none
 */
export function refuseVersion(request: Pick<S3Request, 'query'>): void {
  requireOnlyVersion(parameter(request, 'versionId'));
}

/** The same for a version that stands elsewhere. @throws NoSuchVersion, InvalidArgument */
export function requireOnlyVersion(version: string | undefined): void {
  if (version === undefined || version === 'null') return;
  // Amazon's have 32 characters, those of other servers are UUIDs.
  if (!/^[A-Za-z0-9._-]{32,36}$/.test(version))
    throw new S3Refusal('InvalidArgument', {
      message: 'This is no id of a version. Leave it out, or say null: files have one version here.',
      details: { ArgumentName: 'versionId', ArgumentValue: version },
    });
  throw new S3Refusal('NoSuchVersion', { details: { VersionId: version } });
}

/** GetObject. */
export const getObject: S3Operation = async (context, request) => {
  const { object, content } = await foundObject(context, request);
  const { range, headers, checksum } = partAsked(request, object, content);
  return {
    status: 200,
    headers,
    ...(range && { range }),
    body: fileOf(
      context,
      request,
      object,
      checksum,
      async (range) => inlineBytes(content, range) ?? readContent(context, content, range),
    ),
  };
};

/** HeadObject: GetObject without the bytes, of which only a part is looked up. */
export const headObject: S3Operation = async (context, request) => {
  if (parameter(request, 'partNumber') !== undefined) return getObject(context, request);
  const object = await foundRow(context, request);
  return {
    status: 200,
    body: fileOf(context, request, object, object.clientProperties?.checksum, () =>
      Promise.reject(new Error('A HEAD has no bytes.')),
    ),
  };
};

function fileOf(
  { clock }: Pick<S3Context, 'clock'>,
  request: S3Request,
  object: StoredObject,
  checksum: Checksum | undefined,
  open: Representation['open'],
): Representation {
  return {
    sizeBytes: object.sizeBytes,
    etag: object.etag,
    lastModifiedMs: object.createdAt,
    headers: endingWithFile(
      { ...objectHeaders(object), ...askedChecksum(request, checksum), ...overrides(request) },
      object,
      clock.now(),
    ),
    open,
  };
}

/** Which bytes a request asks for, where it names a part, and their checksum. */
interface AskedBytes {
  readonly range?: ByteRange | undefined;
  readonly headers: Record<string, string>;
  readonly checksum: Checksum | undefined;
}

/**
 * The part that `partNumber` asks for: of a file that came whole, the whole. @throws InvalidPartNumber, InvalidRequest,
 * InvalidArgument
 */
function partAsked(request: S3Request, object: StoredObject, content: Content): AskedBytes {
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

/** A checksum for those who ask for it; a range has none. */
function askedChecksum({ header }: S3Request, checksum: Checksum | undefined): Record<string, string> {
  const isAsked = header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED' && header('range') === undefined;
  return isAsked ? checksumHeaders(checksum) : {};
}

const overridable: Readonly<Record<string, string>> = {
  'response-cache-control': 'Cache-Control',
  'response-content-disposition': 'Content-Disposition',
  'response-content-encoding': 'Content-Encoding',
  'response-content-language': 'Content-Language',
  'response-content-type': 'Content-Type',
  'response-expires': 'Expires',
};

/**
 * Headers that whoever signs the address wants to see in the answer. @throws InvalidArgument when one cannot be a
 * header
 */
function overrides(request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, header] of Object.entries(overridable)) {
    const value = parameter(request, name);
    if (value === undefined) continue;
    requireHeaderText(name, value);
    headers[header] = headerText(value);
  }
  return headers;
}
