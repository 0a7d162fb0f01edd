import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { grantsOf, requireAgreeingHeaders, requireAgreeingList } from '../acl.ts';
import { checkedText } from '../body/checked-body.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { accountElements } from '../list-query.ts';
import { addressOf, spaceOf, type S3Request } from '../request.ts';
import { xmlReply } from '../xml.ts';
import { foundObject } from './found-object.ts';

/** GetBucketAcl and GetObjectAcl: all permissions for the account, and reading for everyone in a public bucket. */
export const getAcl: S3Operation = async (context, request) => {
  await requireNamed(context, request);
  const { account } = context.caller;
  const owner = accountElements(account);
  const grants = grantsOf(addressOf(context.caller, request)).map(({ kind, grantee, permission }) => ({
    ...(kind === 'ID' ? { [granteeOf('CanonicalUser')]: owner } : { [granteeOf('Group')]: { [kind]: grantee } }),
    Permission: permission,
  }));
  return xmlReply('AccessControlPolicy', { Owner: owner, AccessControlList: { Grant: grants } });
};

function granteeOf(type: string): string {
  return `Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="${type}"`;
}

/**
 * PutBucketAcl and PutObjectAcl: take an ACL that says what the bucket says, in a header or as XML, and change nothing.
 *
 * @throws MissingSecurityHeader, UnexpectedContent, and what the readers of the two forms throw
 */
export const putAcl: S3Operation = async (context, request) => {
  await requireNamed(context, request);
  const address = addressOf(context.caller, request);
  const isInHeaders = requireAgreeingHeaders(request, address);
  const body = await checkedText(request);
  const isInBody = body.trim() !== '';
  if (isInHeaders && isInBody)
    throw new S3Refusal('UnexpectedContent', { message: 'Send the ACL in a header or in the body, not in both.' });
  if (isInBody) requireAgreeingList(body, address);
  else if (!isInHeaders) throw new S3Refusal('MissingSecurityHeader');
  return { status: 200 };
};

/** Checks that the bucket, and the file if one is named, exist. @throws NoSuchBucket, NoSuchKey */
async function requireNamed(context: S3Context, request: S3Request): Promise<void> {
  spaceOf(request.bucket);
  if (request.key !== undefined) await foundObject(context, request);
}
