import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { grantsOf, requireAgreeingHeaders, requireAgreeingList, type Grant } from '../acl.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { checkedBody } from '../integrity.ts';
import { accountElement, accountFacts } from '../owner.ts';
import { bodyText, spaceOf, type S3Request } from '../request.ts';
import { element, s3Document, type Xml } from '../xml.ts';
import { foundObject } from './get-object.ts';

/**
 * GetBucketAcl, GetObjectAcl: the account may do everything, and all the world may read what is public. @throws
 * NoSuchBucket, NoSuchKey
 */
export const getAcl: S3Operation = async (context, request) => {
  const space = spaceOf(request.bucket);
  await requireFile(context, request);
  const { account } = context.caller;
  const grants = grantsOf(space, account.id).map((grant) =>
    element('Grant', [granteeElement(grant, account), element('Permission', grant.permission)]),
  );
  return {
    status: 200,
    body: s3Document('AccessControlPolicy', [accountElement('Owner', account), element('AccessControlList', grants)]),
  };
};

function granteeElement({ kind, grantee }: Grant, account: S3Context['caller']['account']): Xml {
  const [type, facts] = kind === 'id' ? ['CanonicalUser', accountFacts(account)] : ['Group', [element('URI', grantee)]];
  return {
    xml: `<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="${type}">${facts.map(({ xml }) => xml).join('')}</Grantee>`,
  };
}

/**
 * PutBucketAcl, PutObjectAcl: a list that says what the bucket says anyhow is taken, in a header or as XML, and changes
 * nothing.
 *
 * @throws NoSuchBucket, NoSuchKey, MissingSecurityHeader, UnexpectedContent, and what the readers of the two forms do
 */
export const putAcl: S3Operation = async (context, request) => {
  const space = spaceOf(request.bucket);
  await requireFile(context, request);
  const { id } = context.caller.account;
  const isInHeaders = requireAgreeingHeaders(request, space, id);
  const body = await bodyText(checkedBody(request).bytes);
  if (isInHeaders && body.trim() !== '')
    throw new S3Refusal('UnexpectedContent', { message: 'Send the ACL in a header or in the body, not in both.' });
  if (!isInHeaders && body.trim() === '') throw new S3Refusal('MissingSecurityHeader');
  if (!isInHeaders) requireAgreeingList(body, space, id);
  return { status: 200 };
};

async function requireFile(context: S3Context, request: S3Request): Promise<void> {
  if (request.key !== undefined) await foundObject(context, request);
}
