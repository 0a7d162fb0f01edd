import type { StoredObject } from '#server/domain/objects/object.ts';
import { listS3Objects, type S3ListPage } from '#server/domain/s3/list-s3-objects.ts';
import { maxS3Keys } from '#server/domain/s3/limits.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { ScanStart } from '#server/domain/objects/table.ts';
import { timestamp } from '#server/handlers/wire.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { reachedPrefix } from '../guard-s3.ts';
import { encodeKey } from '../key-address.ts';
import { accountElement } from '../owner.ts';
import { parameter, spaceOf, type S3Request } from '../request.ts';
import { element, s3Document, type Xml } from '../xml.ts';

/** What both versions of the list take. */
interface ListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  /** Writes a text of a key as the client asked for it. */
  readonly encoded: (text: string) => string;
  readonly isEncoded: boolean;
}

/** @throws InvalidArgument */
function readQuery(request: S3Request): ListQuery {
  const encoding = parameter(request, 'encoding-type');
  if (encoding !== undefined && encoding !== 'url')
    throw refusedArgument('encoding-type', encoding, 'The one encoding-type is url.');
  const isEncoded = encoding === 'url';
  return {
    prefix: parameter(request, 'prefix') ?? '',
    delimiter: parameter(request, 'delimiter') ?? '',
    maxKeys: readMaxKeys(parameter(request, 'max-keys')),
    isEncoded,
    // The markers are encoded like the keys: whoever decodes one would loop on the other.
    encoded: isEncoded ? encodeKey : (text) => text,
  };
}

function refusedArgument(name: string, value: string, message: string): S3Refusal {
  return new S3Refusal('InvalidArgument', { message, details: { ArgumentName: name, ArgumentValue: value } });
}

/** Larger pages are cut to a thousand; a page of nothing may be asked for. @throws InvalidArgument */
export function readMaxKeys(text: string | undefined, name = 'max-keys'): number {
  if (text === undefined || text === '') return maxS3Keys;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2_147_483_647)
    throw refusedArgument(name, text, `${name} must be a whole number from 0 on.`);
  return Math.min(Number(text), maxS3Keys);
}

/** ListObjects, the first version. */
export const listObjects: S3Operation = async (context, request) => {
  const query = readQuery(request);
  const marker = parameter(request, 'marker') ?? '';
  const page = await readPage(context, request, query, marker === '' ? undefined : { behind: marker });
  const { encoded } = query;
  // S3 gives the next marker where the last key is not enough to go on from.
  const next = page.next === undefined || query.delimiter === '' ? [] : [element('NextMarker', encoded(page.last!))];
  const xml = s3Document('ListBucketResult', [
    ...head(request, query, page),
    element('Marker', encoded(marker)),
    ...next,
    ...entries(context, query, page, contents(true)),
  ]);
  return { status: 200, body: xml };
};

/** ListObjectsV2. */
export const listObjectsV2: S3Operation = async (context, request) => {
  const query = readQuery(request);
  const startAfter = parameter(request, 'start-after');
  const token = parameter(request, 'continuation-token');
  // An empty token is none, and is handed back: programs that keep it in a variable send it with the first page.
  const from = !token ? (startAfter ? ({ behind: startAfter } as const) : undefined) : readToken(token);
  const page = await readPage(context, request, query, from);
  const { encoded } = query;
  const xml = s3Document('ListBucketResult', [
    ...head(request, query, page),
    element('KeyCount', page.objects.length + page.prefixes.length),
    ...(token === undefined ? [] : [element('ContinuationToken', token)]),
    ...(page.next === undefined ? [] : [element('NextContinuationToken', formatToken(page.next))]),
    ...(startAfter === undefined ? [] : [element('StartAfter', encoded(startAfter))]),
    ...entries(context, query, page, contents(parameter(request, 'fetch-owner') === 'true')),
  ]);
  return { status: 200, body: xml };
};

/** ListObjectVersions: each file has the one version that clients call `null`. @throws InvalidArgument */
export const listObjectVersions: S3Operation = async (context, request) => {
  const query = readQuery(request);
  const marker = parameter(request, 'key-marker') ?? '';
  const page = await readPage(context, request, query, marker === '' ? undefined : { behind: marker });
  const { encoded } = query;
  const next =
    page.next === undefined
      ? []
      : [element('NextKeyMarker', encoded(page.last!)), element('NextVersionIdMarker', 'null')];
  const xml = s3Document('ListVersionsResult', [
    ...head(request, query, page),
    element('KeyMarker', encoded(marker)),
    element('VersionIdMarker', parameter(request, 'version-id-marker') ?? ''),
    ...next,
    ...entries(context, query, page, {
      name: 'Version',
      facts: [element('VersionId', 'null'), element('IsLatest', true)],
      withOwner: true,
    }),
  ]);
  return { status: 200, body: xml };
};

function readPage(
  context: S3Context,
  request: S3Request,
  { prefix, delimiter, maxKeys }: ListQuery,
  from: ScanStart | undefined,
): Promise<S3ListPage> {
  const space = spaceOf(request.bucket);
  return listS3Objects(context, {
    accountId: context.caller.account.id,
    space,
    prefix: reachedPrefix(context.caller.key, prefix),
    delimiter,
    from,
    limit: maxKeys,
  });
}

function head(
  { bucket }: S3Request,
  { prefix, delimiter, maxKeys, encoded, isEncoded }: ListQuery,
  page: S3ListPage,
): Xml[] {
  return [
    element('Name', bucket!),
    element('Prefix', encoded(prefix)),
    ...(delimiter === '' ? [] : [element('Delimiter', encoded(delimiter))]),
    element('MaxKeys', maxKeys),
    ...(isEncoded ? [element('EncodingType', 'url')] : []),
    element('IsTruncated', page.next !== undefined),
  ];
}

/** How a list shows a file. */
interface Shown {
  readonly name: 'Contents' | 'Version';
  /** What stands with every key. */
  readonly facts: readonly Xml[];
  readonly withOwner: boolean;
}

function contents(withOwner: boolean): Shown {
  return { name: 'Contents', facts: [], withOwner };
}

function entries({ caller }: S3Context, { encoded }: ListQuery, page: S3ListPage, shown: Shown): Xml[] {
  const owner = shown.withOwner ? [accountElement('Owner', caller.account)] : [];
  return [
    ...page.objects.map((object) =>
      element(shown.name, [
        element('Key', encoded(object.key)),
        ...shown.facts,
        ...facts(object),
        ...owner,
        element('StorageClass', 'STANDARD'),
      ]),
    ),
    ...page.prefixes.map((prefix) => element('CommonPrefixes', [element('Prefix', encoded(prefix))])),
  ];
}

function facts({ createdAt, etag, sizeBytes, clientProperties }: StoredObject): Xml[] {
  const checksum = clientProperties?.checksum
    ? [
        element('ChecksumAlgorithm', clientProperties.checksum.algorithm),
        element('ChecksumType', clientProperties.checksum.type),
      ]
    : [];
  return [
    element('LastModified', timestamp(createdAt)),
    element('ETag', `"${etag}"`),
    ...checksum,
    element('Size', sizeBytes),
  ];
}

/** Clients hand it back as it is: kind of start, then the key in base64url. */
function formatToken(start: ScanStart): string {
  const [kind, key] = 'behind' in start ? ['b', start.behind] : ['a', start.at];
  return `${kind}${Buffer.from(key).toString('base64url')}`;
}

/** @throws InvalidArgument */
function readToken(token: string): ScanStart {
  const [, kind, text] = /^([ab])([\w-]*)$/.exec(token) ?? [];
  const key = Buffer.from(text ?? '', 'base64url').toString();
  // What is no base64url and what is no UTF-8 do not come out as they went in.
  if (kind === undefined || Buffer.from(key).toString('base64url') !== text)
    throw refusedArgument(
      'continuation-token',
      token,
      'The continuation token is not one of this list. Begin the list anew.',
    );
  return kind === 'b' ? { behind: key } : { at: key };
}
