import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { RawQuery } from '#server/http/query.ts';

/*
 * Signature Version 2 is not taken: it signs little of a request, and by SHA-1. Some clients still choose it by
 * themselves, so that the refusal names the setting of each.
 */

/**
 * S3's own sentence. One client, s3cmd, compares it as a whole and signs with Version 4 from then on. It sends no
 * User-Agent.
 */
const s3Sentence = 'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.';

const libraries =
  "awscli: aws configure set default.s3.signature_version s3v4. boto3: Config(signature_version='s3v4'). AWS SDK for JavaScript 2: signatureVersion: 'v4'.";

const programs = {
  header: `${libraries} rclone: v2_auth = false. s3cmd: signature_v2 = False. s3fs: -o sigv4, without which it tries Version 2 whenever Version 4 was refused; why that was stands before this in its log. Net::Amazon::S3: authorization_method => 'Net::Amazon::S3::Signature::V4'.`,
  address: `${libraries} s3cmd signurl has no such setting: presign with aws s3 presign or rclone link.`,
  form: libraries,
};

/** The refusal of an `Authorization: AWS …` header. */
export function olderHeader(userAgent: string | undefined): S3Refusal {
  return new S3Refusal('InvalidRequest', {
    message:
      userAgent === undefined
        ? s3Sentence
        : `${s3Sentence} The request is signed with Signature Version 2. ${programs.header}`,
  });
}

/** Whether an address was presigned with Version 2. */
export function isOlderAddress(query: RawQuery): boolean {
  return query.has('Signature') && query.has('AWSAccessKeyId');
}

/** The refusal of such an address: whoever opens it may not be who has made it. */
export function olderAddress(): S3Refusal {
  return new S3Refusal('InvalidRequest', {
    message: `This address was presigned with Signature Version 2, which is not taken here. Whoever made it must presign it again with AWS4-HMAC-SHA256. ${programs.address}`,
  });
}

/** Whether the policy of a form was signed with Version 2. @param fields names in lower case */
export function isOlderForm(fields: ReadonlyMap<string, string>): boolean {
  return fields.has('awsaccesskeyid') && fields.has('signature') && !fields.has('x-amz-signature');
}

export function olderForm(): S3Refusal {
  return new S3Refusal('InvalidRequest', {
    message: `The policy of the form was signed with Signature Version 2, which is not taken here. Sign it with AWS4-HMAC-SHA256. ${programs.form}`,
  });
}
