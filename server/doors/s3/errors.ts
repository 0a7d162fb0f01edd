import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refusalMessage } from '#server/domain/refusal-words.ts';
import { S3Refusal, type S3Code } from '#server/domain/s3/s3-refusal.ts';
import type { Failure } from '#server/pipeline/exchange.ts';
import { s3Meanings, s3Translations } from './error-meanings.ts';
import { xmlDocument } from './xml.ts';

/** Translates any error to a refusal of S3. An error that is neither a refusal nor an unavailable store is a bug. */
export function s3Failure(error: unknown): Failure<S3Refusal> {
  if (error instanceof S3Refusal) return { refusal: error };
  if (error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable)
    return { refusal: new S3Refusal('ServiceUnavailable'), fault: error };
  const code = error instanceof Refusal ? s3Translations[error.code] : undefined;
  if (!(error instanceof Refusal) || code === undefined)
    return { refusal: new S3Refusal('InternalError'), fault: error, isUnexpected: true };
  const headers = error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) };
  const message = refusalMessage(error, s3Meanings[code][1]);
  return { refusal: new S3Refusal(code, { headers, message }), fault: error.cause };
}

/** Returns the refusal of one header, parameter or field. @param value left out of the response when undefined */
export function invalidArgument(name: string, message: string, value?: string): S3Refusal {
  const details = { ArgumentName: name, ...(value !== undefined && { ArgumentValue: value }) };
  return new S3Refusal('InvalidArgument', { message, details });
}

/** Returns the code and the message of a refusal, as elements. */
export function errorElements({ code, words }: S3Refusal): { readonly Code: S3Code; readonly Message: string } {
  return { Code: code, Message: words ?? s3Meanings[code][1] };
}

/** Returns the status and the XML body of an error response. */
export function errorReply(
  refusal: S3Refusal,
  { resource, requestId }: { readonly resource: string; readonly requestId: string },
): { readonly status: number; readonly body: string } {
  const { code, details } = refusal;
  const error = { ...errorElements(refusal), ...details, Resource: resource, RequestId: requestId };
  // Line feeds stay as they are, so that a signed text can be compared line by line.
  return { status: s3Meanings[code][0], body: xmlDocument({ Error: error }).replaceAll('&#10;', '\n') };
}
