import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { accountElements } from '../account-elements.ts';
import { grantsOf, requireAgreeingHeaders, requireAgreeingList } from '../acl.ts';
import { checkedBody } from '../body/checked-body.ts';
import { textOf } from '../body/xml-body.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { addressOf, spaceOf, type S3Request } from '../request.ts';
import { xmlReply } from '../xml.ts';
import { findObject } from './find-object.ts';

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
  const body = await textOf(checkedBody(request));
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
  if (request.key !== undefined) await findObject(context, request);
}
