import type { S3Code } from '../error-meanings.ts';
import { S3Refusal } from '../s3-refusal.ts';
import type { ProtocolAnswer, ProtocolFault } from '#server/http/protocol-errors.ts';
import { errorReply } from './errors.ts';

const codes: Readonly<Record<ProtocolFault, S3Code>> = {
  malformed: 'BadRequest',
  'headers-too-large': 'RequestHeaderSectionTooLarge',
  timeout: 'RequestTimeout',
};

/** Returns the response to bytes that never became a request. Its resource is `/`, because the path is not known. */
export function s3ProtocolAnswer(fault: ProtocolFault, requestId: string): ProtocolAnswer {
  return {
    ...errorReply(new S3Refusal(codes[fault]), { resource: '/', requestId }),
    contentType: 'application/xml',
    headers: { 'x-amz-request-id': requestId },
  };
}
