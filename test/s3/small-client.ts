import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';

import { XMLParser } from 'fast-xml-parser';

import { checksumAlgorithms, checksumOf, type ChecksumAlgorithm } from '#server/domain/checksums/algorithms.ts';
import { exchange, type S3Answer } from './exchange.ts';
import { encodeKey, type Endpoint, type S3Request } from './signed-request.ts';

/*
 * A client of S3 in the words of Amazon's SDK for JavaScript, for tests that are not about the SDK itself. It signs
 * with the tests' own signatures, sends what the SDK sends by default, and never repeats a request.
 */

/** The fields of a request or a response, by Amazon's names. */
export type Fields = Readonly<Record<string, any>>;

interface Operation {
  readonly method: string;
  /** Parameters that name the operation. */
  readonly query?: Readonly<Record<string, string>>;
  /** Returns the XML of the body. */
  readonly body?: (input: Fields) => string;
  /** The element of the response has this name in the output. */
  readonly wrapped?: string;
  /** A checksum of the body is sent with it. */
  readonly isSummed?: true;
}

const operations = {
  AbortMultipartUpload: { method: 'DELETE' },
  CompleteMultipartUpload: {
    method: 'POST',
    body: ({ MultipartUpload }) => xml('CompleteMultipartUpload', { Part: MultipartUpload.Parts }),
  },
  CopyObject: { method: 'PUT', wrapped: 'CopyObjectResult' },
  CreateBucket: { method: 'PUT' },
  CreateMultipartUpload: { method: 'POST', query: { uploads: '' } },
  DeleteObject: { method: 'DELETE' },
  DeleteObjects: {
    method: 'POST',
    query: { delete: '' },
    body: ({ Delete }) => xml('Delete', { Object: Delete.Objects, Quiet: Delete.Quiet }),
    isSummed: true,
  },
  GetObject: { method: 'GET' },
  GetObjectAttributes: { method: 'GET', query: { attributes: '' } },
  HeadObject: { method: 'HEAD' },
  ListMultipartUploads: { method: 'GET', query: { uploads: '' } },
  ListObjectsV2: { method: 'GET', query: { 'list-type': '2' } },
  ListParts: { method: 'GET' },
  PutObject: { method: 'PUT', isSummed: true },
  UploadPart: { method: 'PUT', isSummed: true },
  UploadPartCopy: { method: 'PUT', wrapped: 'CopyPartResult' },
} satisfies Readonly<Record<string, Operation>>;

type OperationName = keyof typeof operations;

interface Command {
  readonly operation: OperationName;
  readonly input: Fields;
}

const commandOf = (operation: OperationName) =>
  class implements Command {
    readonly operation = operation;
    readonly input: Fields;
    constructor(input: Fields) {
      this.input = input;
    }
  };

export const AbortMultipartUploadCommand = commandOf('AbortMultipartUpload');
export const CompleteMultipartUploadCommand = commandOf('CompleteMultipartUpload');
export const CopyObjectCommand = commandOf('CopyObject');
export const CreateBucketCommand = commandOf('CreateBucket');
export const CreateMultipartUploadCommand = commandOf('CreateMultipartUpload');
export const DeleteObjectCommand = commandOf('DeleteObject');
export const DeleteObjectsCommand = commandOf('DeleteObjects');
export const GetObjectCommand = commandOf('GetObject');
export const GetObjectAttributesCommand = commandOf('GetObjectAttributes');
export const HeadObjectCommand = commandOf('HeadObject');
export const ListMultipartUploadsCommand = commandOf('ListMultipartUploads');
export const ListObjectsV2Command = commandOf('ListObjectsV2');
export const ListPartsCommand = commandOf('ListParts');
export const PutObjectCommand = commandOf('PutObject');
export const UploadPartCommand = commandOf('UploadPart');
export const UploadPartCopyCommand = commandOf('UploadPartCopy');

/** A part, as a completion names it. */
export interface CompletedPart extends Fields {
  readonly PartNumber: number;
  readonly ETag: string;
}

/** A response. It has the fields of its headers and of its XML. */
export interface Output extends Fields {
  readonly Contents?: ReadonlyArray<{ readonly Key: string; readonly Size: number }>;
  readonly Uploads?: ReadonlyArray<{ readonly Key: string; readonly UploadId: string }>;
  readonly Parts?: ReadonlyArray<{ readonly PartNumber: number; readonly Size: number; readonly LastModified: Date }>;
  readonly Body?: {
    transformToByteArray(): Promise<Uint8Array>;
    transformToString(): Promise<string>;
  };
}

/** A refusal. Its `name` is the code. */
export class S3Error extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(code: string, message: string, status: number) {
    super(message);
    this.name = code;
    this.$metadata = { httpStatusCode: status };
  }
}

export class S3Client {
  readonly #endpoint: Endpoint;
  readonly #region: string | undefined;

  constructor({ region, ...endpoint }: Endpoint & { readonly region?: string }) {
    this.#endpoint = endpoint;
    this.#region = region;
  }

  /** @throws {S3Error} */
  async send({ operation, input }: Command): Promise<Output> {
    const described: Operation = operations[operation];
    const request = await requestOf(described, input);
    const answer = await exchange(
      this.#endpoint,
      this.#region === undefined ? request : { ...request, region: this.#region },
      60_000,
    );
    const fields = answer.headers['content-type']?.includes('xml') && operation !== 'GetObject';
    const [[root, content] = ['', {}]] = fields ? Object.entries(parsed(answer.text)) : [];
    if (answer.status >= 400) throw errorOf(answer);
    return {
      ...fromHeaders(answer.headers),
      ...(described.wrapped === undefined || root !== described.wrapped ? content : { [root]: content }),
      ...(operation === 'GetObject' && {
        Body: { transformToByteArray: async () => answer.body, transformToString: async () => answer.text },
      }),
    };
  }

  /** Each request has its own connection, so nothing is left open. */
  destroy(): void {}
}

/** Yields all pages of a list. */
export async function* paginateListObjectsV2(
  { client }: { readonly client: S3Client },
  input: Fields,
): AsyncGenerator<Output> {
  for (let ContinuationToken: string | undefined; ;) {
    const page = await client.send(new ListObjectsV2Command({ ...input, ContinuationToken }));
    yield page;
    if (!page.IsTruncated) return;
    ContinuationToken = page.NextContinuationToken;
  }
}

function errorOf({ text: body, status }: S3Answer): S3Error {
  const { Error: told } = parsed(body) as Fields;
  return new S3Error(told?.Code ?? (status === 404 ? 'NotFound' : 'Unknown'), told?.Message ?? '', status);
}

/** The names that are parameters of the query. All others are headers. */
const parameters: Readonly<Record<string, string>> = {
  ContinuationToken: 'continuation-token',
  Delimiter: 'delimiter',
  EncodingType: 'encoding-type',
  KeyMarker: 'key-marker',
  MaxKeys: 'max-keys',
  MaxUploads: 'max-uploads',
  PartNumber: 'partNumber',
  Prefix: 'prefix',
  StartAfter: 'start-after',
  UploadId: 'uploadId',
  UploadIdMarker: 'upload-id-marker',
  VersionId: 'versionId',
};
/** `ListParts` has these in its query, `GetObjectAttributes` in headers. */
const ofPages: Readonly<Record<string, string>> = { MaxParts: 'max-parts', PartNumberMarker: 'part-number-marker' };
const inBody = ['Bucket', 'Key', 'Body', 'ContentLength', 'MultipartUpload', 'Delete', 'Metadata'];
/** Headers of HTTP itself. Amazon's own begin with `x-amz-`. */
const standard = /^(cache-control|content-(?!length)[a-z0-9]+|expires|if-[a-z-]+|range)$/;

async function requestOf(operation: Operation, input: Fields): Promise<S3Request> {
  const query: Record<string, string> = { ...operation.query };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || inBody.includes(name)) continue;
    const parameter =
      parameters[name] ?? (operation.query && 'attributes' in operation.query ? undefined : ofPages[name]);
    if (parameter !== undefined) query[parameter] = String(value);
    else headers[headerOf(name, operation)] = String(value);
  }
  for (const [name, value] of Object.entries<string>(input.Metadata ?? {})) headers[`x-amz-meta-${name}`] = value;
  const request = {
    method: operation.method,
    path: `/${input.Bucket}${input.Key === undefined ? '' : `/${encodeKey(input.Key)}`}`,
    query,
    headers,
  };
  const body = operation.body?.(input) ?? (await bytesOf(input.Body));
  if (!operation.isSummed) return { ...request, body };
  const algorithm: ChecksumAlgorithm = input.ChecksumAlgorithm ?? 'CRC32';
  const sum = [`x-amz-checksum-${algorithm.toLowerCase()}`, checksumOf(algorithm, Buffer.from(body))] as const;
  // Like the SDK: the checksum of a stream is not known before its end.
  if (input.Body instanceof Readable)
    return {
      ...request,
      headers: { ...headers, 'x-amz-trailer': sum[0] },
      body,
      payload: 'chunks-trailer',
      trailer: sum,
    };
  const isGiven = input.ContentMD5 !== undefined || checksumAlgorithms.some((one) => `Checksum${one}` in input);
  if (!isGiven) headers[sum[0]] = sum[1];
  return { ...request, body };
}

function headerOf(name: string, operation: Operation): string {
  if (name === 'ContentMD5') return 'content-md5';
  if (name === 'ChecksumAlgorithm' && operation.isSummed) return 'x-amz-sdk-checksum-algorithm';
  if (/^Checksum[A-Z]+\d/.test(name)) return `x-amz-${name.replace('Checksum', 'checksum-').toLowerCase()}`;
  const header = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return standard.test(header) ? header : `x-amz-${header}`;
}

async function bytesOf(body: unknown): Promise<Uint8Array | string> {
  if (body instanceof Readable) return text(body);
  return (body as Uint8Array | string | undefined) ?? '';
}

function xml(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => xml(name, one)).join('');
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([child, one]) => xml(child, one))
          .join('')
      : String(value as string | number | boolean)
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('\r', '&#13;');
  return `<${name}>${inner}</${name}>`;
}

/** Elements that come many times, and their names in the output. */
const lists: Readonly<Record<string, string>> = {
  CommonPrefixes: 'CommonPrefixes',
  Contents: 'Contents',
  Deleted: 'Deleted',
  Part: 'Parts',
  Upload: 'Uploads',
};
const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  htmlEntities: true,
  isArray: (name) => name in lists,
});

function parsed(body: string): Fields {
  return body === '' ? {} : fieldsOf(parser.parse(body));
}

function fieldsOf(element: Fields): Fields {
  return Object.fromEntries(
    Object.entries(element).map(([name, value]) => [
      lists[name] ?? (name === 'PartsCount' ? 'TotalPartsCount' : name),
      Array.isArray(value) ? value.map(fieldsOf) : typeof value === 'object' ? fieldsOf(value) : valueOf(name, value),
    ]),
  );
}

function valueOf(name: string, value: string): unknown {
  if (/^(Size|KeyCount|Max(Keys|Parts|Uploads)|PartNumber|ObjectSize|PartsCount|ContentLength)$/.test(name))
    return Number(value);
  if (name.startsWith('Is')) return value === 'true';
  return name === 'LastModified' || name === 'Initiated' ? new Date(value) : value;
}

function fromHeaders(headers: S3Answer['headers']): Fields {
  const metadata: Record<string, string> = {};
  const fields: Record<string, unknown> = { Metadata: metadata };
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('x-amz-meta-')) metadata[name.slice('x-amz-meta-'.length)] = value;
    else if (name === 'etag') fields.ETag = value;
    else if (name === 'x-amz-mp-parts-count') fields.PartsCount = Number(value);
    else {
      const field = name.replace(/^x-amz-/, '').replaceAll(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
      fields[field.replace(/^Checksum(?!Type)(.+)/, (_, one) => `Checksum${one.toUpperCase()}`)] = valueOf(
        field,
        value,
      );
    }
  }
  return fields;
}
