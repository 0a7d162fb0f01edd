import type { ChunkedUpload } from '#server/domain/chunked/chunked-upload.ts';
import { formatUploadHandle } from '#server/domain/chunked/handle.ts';
import { listOpenUploads } from '#server/domain/chunked/list-open-uploads.ts';
import { maxS3Keys } from '#server/domain/s3/limits.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { timestamp } from '#server/handlers/wire.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { choiceElements, countOf } from '../multipart.ts';
import { encodeKey } from '../key-address.ts';
import { accountElement } from '../owner.ts';
import { parameter, spaceOf, type S3Request } from '../request.ts';
import { element, s3Document, type Xml } from '../xml.ts';

/** An open upload, or a folder of several, as a page counts them. */
type Entry = { readonly upload: ChunkedUpload; readonly id: string } | { readonly folder: string };

/** ListMultipartUploads: those that were begun over S3 and are open, by key, and of one key the older first. */
export const listMultipartUploads: S3Operation = async (context, request) => {
  const query = readQuery(request);
  const { prefix, delimiter, most, keyMarker, idMarker, encoded } = query;
  const rest = entriesOf(await openUploads(context, request, prefix), prefix, delimiter).filter(behind(query));
  const page = rest.slice(0, most);
  const isTruncated = most > 0 && rest.length > page.length;
  const last = isTruncated ? page.at(-1) : undefined;
  const xml = s3Document('ListMultipartUploadsResult', [
    element('Bucket', request.bucket!),
    element('KeyMarker', encoded(keyMarker)),
    element('UploadIdMarker', idMarker),
    ...(last
      ? [element('NextKeyMarker', encoded(keyOf(last))), element('NextUploadIdMarker', 'id' in last ? last.id : '')]
      : []),
    element('Prefix', encoded(prefix)),
    ...(delimiter === '' ? [] : [element('Delimiter', encoded(delimiter))]),
    element('MaxUploads', most),
    ...(query.isEncoded ? [element('EncodingType', 'url')] : []),
    element('IsTruncated', isTruncated),
    ...page.flatMap((entry) => ('upload' in entry ? [uploadElement(context, entry, encoded)] : [])),
    ...page.flatMap((entry) =>
      'folder' in entry ? [element('CommonPrefixes', [element('Prefix', encoded(entry.folder))])] : [],
    ),
  ]);
  return { status: 200, body: xml };
};

/** @throws InvalidArgument */
function readQuery(request: S3Request) {
  const encoding = parameter(request, 'encoding-type');
  if (encoding !== undefined && encoding !== 'url') {
    throw new S3Refusal('InvalidArgument', {
      message: 'The one encoding-type is url.',
      details: { ArgumentName: 'encoding-type', ArgumentValue: encoding },
    });
  }
  const keyMarker = parameter(request, 'key-marker') ?? '';
  return {
    prefix: parameter(request, 'prefix') ?? '',
    delimiter: parameter(request, 'delimiter') ?? '',
    most: countOf(parameter(request, 'max-uploads'), 'max-uploads', maxS3Keys),
    keyMarker,
    // "Together with key-marker": alone it means nothing.
    idMarker: keyMarker === '' ? '' : (parameter(request, 'upload-id-marker') ?? ''),
    isEncoded: encoding === 'url',
    encoded: encoding === 'url' ? encodeKey : (text: string) => text,
  };
}

/** Those that the key reaches, in order. */
async function openUploads(
  context: S3Context,
  request: S3Request,
  prefix: string,
): Promise<Array<Extract<Entry, { upload: unknown }>>> {
  const space = spaceOf(request.bucket);
  const open = await listOpenUploads(context, context.caller);
  return open
    .filter(({ listed, plan: { address } }) => listed && address.space === space && address.key.startsWith(prefix))
    .map((upload) => ({ upload, id: formatUploadHandle(context.secrets, upload) }))
    .sort(
      (a, b) =>
        compare(a.upload.plan.address.key, b.upload.plan.address.key) ||
        a.upload.startedAt - b.upload.startedAt ||
        compare(a.id, b.id),
    );
}

/** The uploads with those of one folder taken together. */
function entriesOf(
  uploads: ReadonlyArray<Extract<Entry, { upload: unknown }>>,
  prefix: string,
  delimiter: string,
): Entry[] {
  const folders = new Set<string>();
  return uploads.flatMap((entry): Entry[] => {
    const { key } = entry.upload.plan.address;
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (end === -1) return [entry];
    const folder = key.slice(0, end + delimiter.length);
    if (folders.has(folder)) return [];
    folders.add(folder);
    return [{ folder }];
  });
}

/**
 * Whether an entry comes behind the markers; an upload that was closed meanwhile leaves the rest of its key behind it.
 */
function behind({
  keyMarker,
  idMarker,
}: {
  readonly keyMarker: string;
  readonly idMarker: string;
}): (entry: Entry, at: number, all: readonly Entry[]) => boolean {
  return (entry, at, all) => {
    const order = compare(keyOf(entry), keyMarker);
    if (order !== 0 || idMarker === '') return keyMarker === '' || order > 0;
    return at > all.findIndex((one) => 'id' in one && one.id === idMarker);
  };
}

function keyOf(entry: Entry): string {
  return 'folder' in entry ? entry.folder : entry.upload.plan.address.key;
}

/** By the bytes of UTF-8, as all lists here. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function uploadElement(
  { caller: { account } }: S3Context,
  { upload, id }: Extract<Entry, { upload: unknown }>,
  encoded: (text: string) => string,
): Xml {
  return element('Upload', [
    element('Key', encoded(upload.plan.address.key)),
    element('UploadId', id),
    accountElement('Initiator', account),
    accountElement('Owner', account),
    element('StorageClass', 'STANDARD'),
    element('Initiated', timestamp(upload.startedAt)),
    ...choiceElements(upload.listed!),
  ]);
}
