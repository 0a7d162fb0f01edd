import type { ObjectAddress } from '#server/domain/object-id.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { accountElements } from '../account-elements.ts';
import { grantsOf, requireAgreeingHeaders, requireAgreeingList } from '../acl.ts';
import { checkedBody } from '../body/checked-body.ts';
import { textOf } from '../body/xml-body.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { addressOf, type S3Request } from '../request.ts';
import { xmlReply } from '../xml.ts';
import { findObject } from './find-object.ts';

/** GetBucketAcl and GetObjectAcl: all permissions for the account, and reading for everyone in a public bucket. */
export const getAcl: S3Operation = async (context, request) => {
  const address = await namedAddress(context, request);
  const owner = accountElements(context.caller.account);
  const grants = grantsOf(address).map(({ kind, grantee, permission }) => ({
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
 * @throws MissingSecurityHeader, UnexpectedContent, and the errors of `requireAgreeingHeaders()` and
 *   `requireAgreeingList()`
 */
export const putAcl: S3Operation = async (context, request) => {
  const address = await namedAddress(context, request);
  const isInHeaders = requireAgreeingHeaders(request, address);
  const body = await textOf(context, checkedBody(request));
  const isInBody = body.trim() !== '';
  if (isInHeaders && isInBody)
    throw new S3Refusal('UnexpectedContent', { message: 'Send the ACL in a header or in the body, not in both.' });
  if (isInBody) requireAgreeingList(body, address);
  else if (!isInHeaders) throw new S3Refusal('MissingSecurityHeader');
  return { status: 200 };
};

/** Returns the address of the bucket or file, after checking that it exists. @throws NoSuchBucket, NoSuchKey */
async function namedAddress(context: S3Context, request: S3Request): Promise<ObjectAddress> {
  const address = addressOf(context.caller, request);
  if (request.key !== undefined) await findObject(context, request);
  return address;
}
