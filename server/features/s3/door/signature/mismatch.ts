import { S3Refusal } from '../../s3-refusal.ts';

/** The text that the server signed, in Latin-1, and the signature that the client sent. */
interface Mismatch {
  readonly accessKeyId: string;
  readonly stringToSign: string;
  readonly signature: string;
  /** Left out for a form, whose policy is signed as it stands. */
  readonly canonicalRequest?: string;
}

/**
 * Returns the refusal of another signature. It shows the text that the server signed, so that the client can compare.
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

/** Writes each byte in hex with blanks between, as S3 does. */
function hexOf(text: string): string {
  return Buffer.from(text, 'latin1')
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
}
