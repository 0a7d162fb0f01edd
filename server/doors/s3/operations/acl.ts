import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { checkedBody } from '../integrity.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { accountElement, accountFacts } from '../owner.ts';
import { bodyText, spaceOf, type S3Request } from '../request.ts';
import { requireAgreeingAcl } from '../write-headers.ts';
import { element, s3Document } from '../xml.ts';
import { foundObject } from './get-object.ts';

/** GetBucketAcl, GetObjectAcl: the account may do everything, and all the world may read what is public. @throws NoSuchBucket, NoSuchKey */
export const getAcl: S3Operation = async (context, request) => {
  const space = spaceOf(request.bucket);
  await requireFile(context, request);
  const { account } = context.caller;
  const user = `<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">${accountFacts(account).map(({ xml }) => xml).join('')}</Grantee>`;
  const everyone = `<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="Group">${element('URI', 'http://acs.amazonaws.com/groups/global/AllUsers').xml}</Grantee>`;
  const grants = [element('Grant', [{ xml: user }, element('Permission', 'FULL_CONTROL')])];
  if (space !== 'private') grants.push(element('Grant', [{ xml: everyone }, element('Permission', 'READ')]));
  return { status: 200, xml: s3Document('AccessControlPolicy', [accountElement('Owner', account), element('AccessControlList', grants)]) };
};

/**
 * PutBucketAcl, PutObjectAcl: a canned list that says what the bucket says anyhow is taken and changes nothing.
 *
 * @throws NoSuchBucket, NoSuchKey, AccessControlListNotSupported, InvalidArgument
 */
export const putAcl: S3Operation = async (context, request) => {
  const space = spaceOf(request.bucket);
  await requireFile(context, request);
  requireAgreeingAcl(request, space);
  const body = await bodyText(checkedBody(request).bytes);
  if (body.trim() !== '' || request.header('x-amz-acl') === undefined) throw new S3Refusal('AccessControlListNotSupported');
  return { status: 200 };
};

async function requireFile(context: S3Context, request: S3Request): Promise<void> {
  if (request.key !== undefined) await foundObject(context, request);
}
