import type { ChunkedUpload } from '#server/features/uploads/chunked-upload.ts';
import { formatUploadHandle } from '#server/features/uploads/handle.ts';
import { listOpenUploads } from '#server/features/uploads/list-open-uploads.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { accountElements } from '../account-elements.ts';
import { checksumKindElements } from '../checksum-fields.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { listQuery, prefixElements, type ListQuery } from '../list-query.ts';
import { parameter, spaceOf, type S3Request } from '../request.ts';
import { xmlReply } from '../xml.ts';

interface OpenUpload {
  readonly key: string;
  /** The upload id, as clients know it. */
  readonly id: string;
  readonly upload: ChunkedUpload;
}

/** An entry of a page: an upload, or a common prefix of several. */
type Entry = OpenUpload | { readonly key: string; readonly id: '' };

/** ListMultipartUploads: the open uploads that were begun over S3, by key, and the older ones of a key first. */
export const listMultipartUploads: S3Operation = async (context, request) => {
  const query = listQuery(request, 'max-uploads');
  const { prefix, delimiter, most, encoded } = query;
  const keyMarker = parameter(request, 'key-marker') ?? '';
  // "Together with key-marker": alone it means nothing.
  const idMarker = keyMarker === '' ? '' : (parameter(request, 'upload-id-marker') ?? '');
  const rest = after(entriesOf(await openUploads(context, request, prefix), query), keyMarker, idMarker);
  const page = rest.slice(0, most);
  const isTruncated = most > 0 && rest.length > page.length;
  const last = isTruncated ? page.at(-1) : undefined;
  const owner = accountElements(context.caller.account);
  return xmlReply('ListMultipartUploadsResult', {
    Bucket: request.bucket,
    KeyMarker: encoded(keyMarker),
    UploadIdMarker: idMarker,
    ...(last && { NextKeyMarker: encoded(last.key), NextUploadIdMarker: last.id }),
    Prefix: encoded(prefix),
    Delimiter: delimiter === '' ? undefined : encoded(delimiter),
    MaxUploads: most,
    EncodingType: query.encoding,
    IsTruncated: isTruncated,
    Upload: page.filter(isUpload).map(({ key, id, upload }) => ({
      Key: encoded(key),
      UploadId: id,
      Initiator: owner,
      Owner: owner,
      StorageClass: 'STANDARD',
      Initiated: timestamp(upload.startedAt),
      ...checksumKindElements(upload.listed?.checksum),
    })),
    CommonPrefixes: prefixElements(
      page.filter((entry) => !isUpload(entry)).map(({ key }) => key),
      query,
    ),
  });
};

function isUpload(entry: Entry): entry is OpenUpload {
  return 'upload' in entry;
}

/** Returns the uploads under a prefix that the caller's key reaches, in order. @throws NoSuchBucket */
async function openUploads(context: S3Context, request: S3Request, prefix: string): Promise<OpenUpload[]> {
  const space = spaceOf(request.bucket);
  const open = await listOpenUploads(context, context.caller);
  return open
    .filter(({ listed, resolved: { address } }) => listed && address.space === space && address.key.startsWith(prefix))
    .map((upload) => ({ key: upload.resolved.address.key, id: formatUploadHandle(context.secrets, upload), upload }))
    .sort((a, b) => compare(a.key, b.key) || a.upload.startedAt - b.upload.startedAt || compare(a.id, b.id));
}

/** Rolls up the uploads of each common prefix to one entry. */
function entriesOf(uploads: readonly OpenUpload[], { prefix, delimiter }: ListQuery): Entry[] {
  const entries = uploads.map((upload): Entry => {
    const end = delimiter === '' ? -1 : upload.key.indexOf(delimiter, prefix.length);
    return end === -1 ? upload : { key: upload.key.slice(0, end + delimiter.length), id: '' };
  });
  return entries.filter((entry, at) => isUpload(entry) || entry.key !== entries[at - 1]?.key);
}

/** Returns the entries after the markers. When the marked upload is gone, all entries of its key are returned. */
function after(entries: readonly Entry[], keyMarker: string, idMarker: string): Entry[] {
  const marked = idMarker === '' ? -1 : entries.findIndex(({ id }) => id === idMarker);
  return entries.filter(({ key }, at) => {
    const order = compare(key, keyMarker);
    return order > 0 || keyMarker === '' || (order === 0 && idMarker !== '' && at > marked);
  });
}

/** Compares the bytes of UTF-8, as all lists do here. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
