import { S3Refusal } from '../../s3-refusal.ts';
import type { RawQuery } from '#server/http/query.ts';

/*
 * Signature Version 2 is refused, because it signs little of a request, and with SHA-1. Some clients choose it by
 * themselves, so the refusals name the setting of each client.
 */

/**
 * S3's own sentence. One client, s3cmd, compares the whole message and then changes to Version 4. It sends no
 * User-Agent.
 */
const s3Sentence = 'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.';

const libraries =
  "awscli: aws configure set default.s3.signature_version s3v4. boto3: Config(signature_version='s3v4'). AWS SDK " +
  "for JavaScript 2: signatureVersion: 'v4'.";

/** Returns the refusal of an `Authorization: AWS …` header. */
export function olderHeader(userAgent: string | undefined): S3Refusal {
  return refusal(
    userAgent === undefined
      ? s3Sentence
      : `${s3Sentence} The request is signed with Signature Version 2. ${libraries} rclone: v2_auth = false. s3cmd: ` +
          ('signature_v2 = False. s3fs: -o sigv4. Without it s3fs tries Version 2 after each ' +
            'refusal of Version 4, and ') +
          'logs the reason before this one. Net::Amazon::S3: authorization_method => ' +
          `'Net::Amazon::S3::Signature::V4'.`,
  );
}

/** Whether an address was presigned with Version 2. */
export function isOlderAddress(query: RawQuery): boolean {
  return query.has('Signature') && query.has('AWSAccessKeyId');
}

/** Returns the refusal of such an address. Its reader is often not the person who presigned it. */
export function olderAddress(): S3Refusal {
  return refusal(
    'This address was presigned with Signature Version 2, which is refused here. Its author must presign it again ' +
      (`with AWS4-HMAC-SHA256. ${libraries} s3cmd signurl has no such setting: presign with aws s3 presign or ` +
        'rclone link.'),
  );
}

/** Whether the policy of a form was signed with Version 2. @param fields names in lower case */
export function isOlderForm(fields: ReadonlyMap<string, string>): boolean {
  return fields.has('awsaccesskeyid') && fields.has('signature') && !fields.has('x-amz-signature');
}

/** Returns the refusal of such a form. */
export function olderForm(): S3Refusal {
  return refusal(
    'The policy of the form was signed with Signature Version 2, which is refused here. Sign it with ' +
      `AWS4-HMAC-SHA256. ${libraries}`,
  );
}

function refusal(message: string): S3Refusal {
  return new S3Refusal('InvalidRequest', { message });
}
