import type { IncomingMessage } from 'node:http';

import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { MultipartError } from '#server/http/multipart-error.ts';
import { openMultipartForm, type MultipartForm } from '#server/http/multipart-form.ts';
import type { Reply } from '#server/pipeline/exchange.ts';
import type { S3Context } from '../context.ts';
import { locationOf } from '../key-address.ts';
import type { S3Request } from '../request.ts';
import { checkPolicy, type FormFields, type SizeRange } from '../signature/post-policy.ts';
import { element, xmlDocument } from '../xml.ts';
import { storeFile, type StoredHeaders } from './store-file.ts';

/**
 * What stands before the file: some thirty fields, of which the policy is the largest. S3 takes 20 KB; clients with
 * long policies get room.
 */
const limits = { maxFields: 100, maxFieldBytes: 65_536, maxFieldsBytes: 131_072 };

/** A form up to its file, whose fields say where that goes. */
export interface PostForm {
  readonly fields: FormFields;
  readonly bucket: string;
  readonly key: string;
  readonly file: MultipartForm['file'];
}

/** Whether the request is a form that a browser sends: its signature is among its fields. */
export function isPostForm(
  { method, headers }: IncomingMessage,
  { bucket, key }: Pick<S3Request, 'bucket' | 'key'>,
): boolean {
  return (
    method === 'POST' &&
    bucket !== undefined &&
    key === undefined &&
    headers.authorization === undefined &&
    /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')
  );
}

/** A POST to a bucket that nobody has signed can only be a form. @throws PreconditionFailed */
export function refuseOtherPost(
  { method, headers, url = '' }: IncomingMessage,
  { bucket, key }: Pick<S3Request, 'bucket' | 'key'>,
): void {
  if (
    method !== 'POST' ||
    bucket === undefined ||
    key !== undefined ||
    headers.authorization !== undefined ||
    url.includes('?')
  )
    return;
  const condition = 'Bucket POST must be of the enclosure-type multipart/form-data';
  throw new S3Refusal('PreconditionFailed', { message: `${condition}, or signed.`, details: { Condition: condition } });
}

/**
 * Reads the form up to its file. @throws MalformedPOSTRequest, MaxPostPreDataLengthExceeded, InvalidArgument without a
 * key
 */
export async function openPostForm(req: IncomingMessage, bucket: string): Promise<PostForm> {
  const { fields, file } = await openMultipartForm(req, limits).catch(refuse);
  const wanted = fields.get('key');
  if (!wanted)
    throw new S3Refusal('InvalidArgument', {
      message: 'The form has no field key before its file.',
      details: { ArgumentName: 'key' },
    });
  const key = wanted.replaceAll('${filename}', () => file.filename);
  return { fields: new Map([...fields, ['bucket', bucket], ['key', key]]), bucket, key, file };
}

function refuse(error: unknown): never {
  if (!(error instanceof MultipartError)) throw error;
  if (error.reason === 'fields-too-large') throw new S3Refusal('MaxPostPreDataLengthExceeded');
  throw new S3Refusal(error.reason === 'cut-off' ? 'IncompleteBody' : 'MalformedPOSTRequest');
}

/** PostObject: stores the file of a form whose policy was signed. */
export async function postObject(context: S3Context, form: PostForm, incoming: IncomingMessage): Promise<Reply> {
  const range = checkPolicy(form.fields, context.clock.now());
  const stored = await storeFile(context, requestOfForm(form, incoming), (bytes) => within(bytes, range));
  return answerOf(context, form, stored);
}

/** Fields that stand for headers of another name. */
const headersOfFields: Readonly<Record<string, string>> = { 'x-amz-acl': 'acl', 'x-amz-tagging': 'tagging' };

/** The form in the place of headers: a field is named as the header that it stands for. */
function requestOfForm({ fields, bucket, key, file }: PostForm, incoming: IncomingMessage): S3Request {
  const header = (name: string) => fields.get(headersOfFields[name] ?? name) ?? fields.get(name);
  return {
    method: 'POST',
    rawPath: `/${bucket}`,
    bucket,
    key,
    query: new Map(),
    header,
    headerNames: (start) => [...fields.keys()].filter((name) => name.startsWith(start)),
    body: { announcedBytes: undefined, trailers: new Map(), bytes: () => refusing(file.bytes) },
    incoming,
  };
}

async function* refusing(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    refuse(error instanceof MultipartError ? error : new MultipartError('cut-off', { cause: error }));
  }
}

/** @throws EntityTooLarge, EntityTooSmall */
async function* within(
  bytes: AsyncIterable<Uint8Array>,
  { minBytes, maxBytes = Infinity }: SizeRange,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new S3Refusal('EntityTooLarge', { details: { MaxSizeAllowed: String(maxBytes) } });
    yield chunk;
  }
  if (sizeBytes < minBytes)
    throw new S3Refusal('EntityTooSmall', {
      details: { ProposedSize: String(sizeBytes), MinSizeAllowed: String(minBytes) },
    });
}

/** As the form asks for: a redirect, the address as XML, or nothing. */
function answerOf(context: S3Context, { fields, bucket, key }: PostForm, stored: StoredHeaders): Reply {
  const location = locationOf(context, bucket, key);
  const redirect = redirectOf(fields, { bucket, key, etag: stored.ETag });
  if (redirect !== undefined) return { status: 303, headers: { ...stored, Location: redirect } };
  const headers = { ...stored, Location: location };
  const status = fields.get('success_action_status');
  if (status !== '201') return { status: status === '200' ? 200 : 204, headers };
  const xml = xmlDocument(
    element('PostResponse', [
      element('Location', location),
      element('Bucket', bucket),
      element('Key', key),
      element('ETag', stored.ETag),
    ]),
  );
  return { status: 201, headers, body: xml };
}

/** The page that the form names, told what was stored; what is no web address is passed over. */
function redirectOf(fields: FormFields, told: Readonly<Record<string, string>>): string | undefined {
  const page = fields.get('success_action_redirect') ?? fields.get('redirect');
  if (page === undefined || !URL.canParse(page)) return undefined;
  const url = new URL(page);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  return url.href;
}
