import type { IncomingMessage } from 'node:http';

import { S3Refusal } from '../../s3-refusal.ts';
import type { BodyHold } from '#server/http/body-memory.ts';
import { MultipartError } from '#server/http/multipart-error.ts';
import { openMultipartForm } from '#server/http/multipart-fields-and-file.ts';
import { invalidArgument } from '../errors.ts';
import type { S3Request, S3Target } from '../request.ts';
import type { FormFields } from '../signature/post-policy.ts';
import { isPresigned } from '../signature/presigned-claim.ts';

/** A form has some thirty fields, of which the policy is the largest. S3 takes 20 KB, and long policies need more. */
const limits = { maxFields: 100, maxFieldBytes: 65_536, maxFieldsBytes: 131_072 };

/** A request that was sent as a form, read up to its file. */
type FormRequest = S3Request & { readonly form: FormFields };

/**
 * Whether the request is a browser's form, whose signature is among its fields.
 *
 * @throws PreconditionFailed for an unsigned POST to a bucket that is no form
 */
export function isPostForm({ method, headers, url }: IncomingMessage, { bucket, key, query }: S3Target): boolean {
  const isUnsigned = headers.authorization === undefined && !isPresigned(query);
  if (method !== 'POST' || bucket === undefined || key !== undefined || !isUnsigned) return false;
  if (/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')) return true;
  if (url?.includes('?')) return false;
  const condition = 'Bucket POST must be of the enclosure-type multipart/form-data';
  throw new S3Refusal('PreconditionFailed', { message: `${condition}, or signed.`, details: { Condition: condition } });
}

/**
 * Reads a form up to its file. The request's headers are the form's fields.
 *
 * @throws MalformedPOSTRequest, MaxPostPreDataLengthExceeded, IncompleteBody, InvalidArgument without a key
 * @throws {BodyError} `no-memory`
 */
export async function openPostForm(incoming: IncomingMessage, target: S3Target, hold: BodyHold): Promise<FormRequest> {
  const { fields, file } = await openMultipartForm(incoming, { ...limits, hold }).catch(refuse);
  const wanted = fields.get('key');
  if (!wanted) throw invalidArgument('key', 'The form has no field key before its file.');
  const { bucket = '', rawPath, rawQuery } = target;
  const key = wanted.replaceAll('${filename}', () => file.filename);
  return {
    method: 'POST',
    rawPath,
    rawQuery,
    query: target.query,
    bucket,
    key,
    header: (name) => fields.get(fieldNames[name] ?? name) ?? fields.get(name),
    headerNames: (start) => [...fields.keys()].filter((name) => name.startsWith(start)),
    isPresigned: false,
    form: new Map([...fields, ['bucket', bucket], ['key', key]]),
    body: { announcedBytes: undefined, trailers: new Map(), bytes: () => fileBytes(file.bytes) },
    incoming,
  };
}

/** Fields that have another name than the header they stand for. */
const fieldNames: Readonly<Record<string, string>> = { 'x-amz-acl': 'acl', 'x-amz-tagging': 'tagging' };

async function* fileBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    refuse(error instanceof MultipartError ? error : new MultipartError('cut-off', { cause: error }));
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof MultipartError)) throw error;
  if (error.reason === 'fields-too-large') throw new S3Refusal('MaxPostPreDataLengthExceeded');
  throw new S3Refusal(error.reason === 'cut-off' ? 'IncompleteBody' : 'MalformedPOSTRequest');
}
