import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';

/** What was signed here, in Latin-1, and the signature that came. */
export interface Mismatch {
  readonly accessKeyId: string;
  readonly stringToSign: string;
  readonly signature: string;
  /** A form has none: its policy is signed as it stands. */
  readonly canonicalRequest?: string;
}

/**
 * The refusal of a signature that does not fit, which shows what was signed here, so that who made the other one can
 * compare.
 */
export function signatureMismatch({ accessKeyId, stringToSign, signature, canonicalRequest }: Mismatch): S3Refusal {
  const details = {
    AWSAccessKeyId: accessKeyId,
    StringToSign: stringToSign,
    SignatureProvided: signature,
    StringToSignBytes: hexOf(stringToSign),
    ...(canonicalRequest !== undefined && {
      CanonicalRequest: canonicalRequest,
      CanonicalRequestBytes: hexOf(canonicalRequest),
    }),
  };
  return new S3Refusal('SignatureDoesNotMatch', { details });
}

/** Each byte in hex, as S3 writes them. */
function hexOf(text: string): string {
  return Buffer.from(text, 'latin1')
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
}
