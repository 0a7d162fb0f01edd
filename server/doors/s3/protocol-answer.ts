import { S3Refusal, type S3Code } from '#server/domain/s3/s3-refusal.ts';
import type { ProtocolAnswer, ProtocolFault } from '#server/http/protocol-errors.ts';
import { errorXml, s3Errors } from './errors.ts';

const codes: Readonly<Record<ProtocolFault, S3Code>> = {
  malformed: 'BadRequest',
  'headers-too-large': 'RequestHeaderSectionTooLarge',
  timeout: 'RequestTimeout',
};

/** What never became a request, as S3 answers it; where it went is not known. */
export function s3ProtocolAnswer(fault: ProtocolFault, requestId: string): ProtocolAnswer {
  const code = codes[fault];
  return {
    status: s3Errors[code].status,
    contentType: 'application/xml',
    body: errorXml(new S3Refusal(code), { resource: '/', requestId }),
    headers: { 'x-amz-request-id': requestId },
  };
}
