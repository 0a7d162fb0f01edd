import { S3Refusal } from '../../s3-refusal.ts';
import type { Reply } from '#server/pipeline/exchange.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { locationOf } from '../keys.ts';
import type { S3Request } from '../request.ts';
import { checkPolicy, type FormFields, type SizeRange } from '../signature/post-policy.ts';
import { xmlDocument } from '../xml.ts';
import { storeFile, type StoredHeaders } from './put-object.ts';

/** PostObject: stores the file of a browser's form, within its signed policy. */
export const postObject: S3Operation = async (context, request) => {
  const range = checkPolicy(request.form!, context.clock.now());
  return replyOf(context, request, await storeFile(context, request, (bytes) => within(bytes, range)));
};

/** @throws EntityTooLarge, EntityTooSmall */
async function* within(
  bytes: AsyncIterable<Uint8Array>,
  { minBytes, maxBytes }: SizeRange,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes)
      throw new S3Refusal('EntityTooLarge', {
        message:
          `The file is larger than the ${maxBytes} bytes that content-length-range in the policy of the form ` +
          'allows. Nothing was stored.',
        details: { MaxSizeAllowed: String(maxBytes) },
      });
    yield chunk;
  }
  if (sizeBytes < minBytes)
    throw new S3Refusal('EntityTooSmall', {
      message:
        `The file has ${sizeBytes} bytes, and content-length-range in the policy of the form asks for at least ` +
        `${minBytes}. Nothing was stored.`,
      details: { ProposedSize: String(sizeBytes), MinSizeAllowed: String(minBytes) },
    });
}

/** Returns the response that the form asks for: a redirect, a document, or nothing. */
function replyOf(context: S3Context, request: S3Request, stored: StoredHeaders): Reply {
  const [fields, bucket, key] = [request.form!, request.bucket!, request.key!];
  const { ETag } = stored;
  const redirect = redirectOf(fields, { bucket, key, etag: ETag });
  if (redirect !== undefined) return { status: 303, headers: { ...stored, Location: redirect } };
  const Location = locationOf(context, bucket, key);
  const headers = { ...stored, Location };
  const status = fields.get('success_action_status');
  if (status !== '201') return { status: status === '200' ? 200 : 204, headers };
  const body = xmlDocument({ PostResponse: { Location, Bucket: bucket, Key: key, ETag } });
  return { status: 201, headers, body };
}

/** Returns the address that the form names, with the stored file in its query. Other schemes than HTTP are ignored. */
function redirectOf(fields: FormFields, told: Readonly<Record<string, string>>): string | undefined {
  const url = URL.parse(fields.get('success_action_redirect') ?? fields.get('redirect') ?? '');
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  return url.href;
}
