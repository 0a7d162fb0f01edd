import { Refusal } from '#server/domain/refusal.ts';
import { refusalMessage } from '#server/domain/refusal-message.ts';
import { S3Refusal } from '../s3-refusal.ts';
import type { Failure } from '#server/pipeline/exchange.ts';
import { bodyMemoryRefusal } from '#server/pipeline/body-memory-refusal.ts';
import { storeRefusal } from '#server/pipeline/store-refusal.ts';
import { s3Meanings, s3Sentences, s3Translations, type S3Code } from '../error-meanings.ts';
import { xmlDocument } from './xml.ts';

/** Translates any error to a refusal of S3. An error that is neither a refusal nor an unavailable store is a bug. */
export function s3Failure(error: unknown): Failure<S3Refusal> {
  if (error instanceof S3Refusal) return { refusal: error };
  const refusal = error instanceof Refusal ? error : (storeRefusal(error) ?? bodyMemoryRefusal(error));
  const code = refusal && s3Translations[refusal.code];
  if (refusal === undefined || code === undefined)
    return { refusal: new S3Refusal('InternalError'), fault: error, isUnexpected: true };
  const headers = refusal.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(refusal.retryAfterSeconds) };
  const message = refusalMessage(refusal, s3Sentences[refusal.code] ?? s3Meanings[code][1]);
  return { refusal: new S3Refusal(code, { headers, message }), fault: refusal.cause };
}

/** Returns the refusal of one header, parameter or field. @param value left out of the response when undefined */
export function invalidArgument(name: string, message: string, value?: string): S3Refusal {
  const details = { ArgumentName: name, ...(value !== undefined && { ArgumentValue: value }) };
  return new S3Refusal('InvalidArgument', { message, details });
}

/** Returns the code and the message of a refusal, as elements. */
export function errorElements({ code, ownMessage }: S3Refusal): {
  readonly Code: S3Code;
  readonly Message: string;
} {
  return { Code: code, Message: ownMessage ?? s3Meanings[code][1] };
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
