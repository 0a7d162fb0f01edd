import type { Space } from '#server/domain/object-id.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Request } from './request.ts';
import { nodesIn, readXml, textIn, type XmlNode } from './xml.ts';

type Headers = Pick<S3Request, 'header' | 'headerNames'>;

/**
 * One line of an ACL. `id` is that of an account, `uri` that of a group; an address of mail is known to nobody here.
 */
export interface Grant {
  readonly kind: 'id' | 'uri' | 'emailaddress';
  readonly grantee: string;
  readonly permission: string;
}

/** The group of all who ask, signed or not. */
export const everyone = 'http://acs.amazonaws.com/groups/global/AllUsers';

const permissions = ['FULL_CONTROL', 'READ', 'WRITE', 'READ_ACP', 'WRITE_ACP'];
const cannedAcls = [
  'private',
  'public-read',
  'public-read-write',
  'authenticated-read',
  'aws-exec-read',
  'log-delivery-write',
  'bucket-owner-read',
  'bucket-owner-full-control',
];

/** What the files of a bucket grant: everything to the account, and reading to everyone but in the private bucket. */
export function grantsOf(space: Space, accountId: string): Grant[] {
  const own: Grant = { kind: 'id', grantee: accountId, permission: 'FULL_CONTROL' };
  return space === 'private' ? [own] : [own, { kind: 'uri', grantee: everyone, permission: 'READ' }];
}

/**
 * Whether headers ask for an ACL at all. One that says what the bucket says changes nothing.
 *
 * @throws AccessControlListNotSupported for one that says something else, InvalidArgument, InvalidRequest
 */
export function requireAgreeingHeaders({ header, headerNames }: Headers, space: Space, accountId: string): boolean {
  const canned = header('x-amz-acl');
  const names = headerNames('x-amz-grant-');
  if (canned !== undefined && names.length > 0)
    throw new S3Refusal('InvalidRequest', {
      message: 'Send a canned ACL in x-amz-acl or grants in x-amz-grant-…, not both.',
    });
  if (canned !== undefined) requireAgreeingCanned(canned, space);
  else if (
    names.length > 0 &&
    !agrees(
      names.flatMap((name) => readGrants(name, header(name) ?? '')),
      space,
      accountId,
    )
  )
    throw otherwise('AccessControlListNotSupported', space);
  return canned !== undefined || names.length > 0;
}

function requireAgreeingCanned(canned: string, space: Space): void {
  if (!cannedAcls.includes(canned)) {
    throw new S3Refusal('InvalidArgument', {
      message: `There is no canned ACL "${canned}". S3 has ${cannedAcls.join(', ')}.`,
      details: { ArgumentName: 'x-amz-acl', ArgumentValue: canned },
    });
  }
  const agreeing = ['bucket-owner-full-control', 'bucket-owner-read', space === 'private' ? 'private' : 'public-read'];
  if (!agreeing.includes(canned)) throw otherwise('AccessControlListNotSupported', space);
}

/** Reads `id="…", uri="…"`; some clients leave the quotes out. @throws InvalidArgument */
function readGrants(name: string, text: string): Grant[] {
  const permission = name.slice('x-amz-grant-'.length).replaceAll('-', '_').toUpperCase();
  const refuse = (message: string) =>
    new S3Refusal('InvalidArgument', { message, details: { ArgumentName: name, ArgumentValue: text } });
  if (!permissions.includes(permission))
    throw refuse(
      `There is no header ${name}. S3 has x-amz-grant-full-control, -read, -write, -read-acp and -write-acp.`,
    );
  return text.split(',').map((part) => {
    const [, kind, quoted, plain] = /^\s*(id|uri|emailaddress)\s*=\s*(?:"([^"]+)"|([^"\s]+))\s*$/i.exec(part) ?? [];
    if (kind === undefined)
      throw refuse(`${name} must read id="…", uri="…" or emailAddress="…", several of them joined by commas.`);
    return { kind: kind.toLowerCase() as Grant['kind'], grantee: (quoted ?? plain)!, permission };
  });
}

/**
 * Takes the list in a body when it says what the bucket says.
 *
 * s3cmd puts the ACL of a file on each copy of it, and lets the copy stand where that is not implemented: so a list
 * that says something else is refused with that code.
 *
 * @throws NotImplemented for a list that says something else, MalformedACLError, AccessDenied when it names another
 *   owner
 */
export function requireAgreeingList(xml: string, space: Space, accountId: string): void {
  const { owner, grants } = readList(xml);
  if (owner !== undefined && owner !== '' && owner !== accountId)
    throw new S3Refusal('AccessDenied', {
      message: `The owner in the ACL is "${owner}". A file belongs to the account that has stored it: name ${accountId}.`,
    });
  if (!agrees(grants, space, accountId)) throw otherwise('NotImplemented', space);
}

/** @throws MalformedACLError */
function readList(xml: string): { readonly owner: string | undefined; readonly grants: Grant[] } {
  try {
    const policy = readXml(xml, 'AccessControlPolicy');
    const [owner] = nodesIn(policy, 'Owner');
    const [list] = (policy['AccessControlList'] ?? []).filter((node) => typeof node !== 'string');
    return {
      owner: owner && textIn(owner, 'ID'),
      grants: list === undefined ? [] : nodesIn(list, 'Grant').map(readGrant),
    };
  } catch (error) {
    if (error instanceof S3Refusal && error.code === 'MalformedXML') throw new S3Refusal('MalformedACLError');
    throw error;
  }
}

/** @throws MalformedACLError */
function readGrant(grant: XmlNode): Grant {
  const [grantee, ...others] = nodesIn(grant, 'Grantee');
  const permission = textIn(grant, 'Permission')?.trim();
  const named =
    grantee === undefined
      ? []
      : (['ID', 'URI', 'EmailAddress'] as const).flatMap((name) => textIn(grantee, name) ?? []);
  const kind = (['ID', 'URI', 'EmailAddress'] as const).find((name) => grantee?.[name] !== undefined)?.toLowerCase() as
    | Grant['kind']
    | undefined;
  if (
    others.length > 0 ||
    named.length !== 1 ||
    kind === undefined ||
    permission === undefined ||
    !permissions.includes(permission)
  )
    throw new S3Refusal('MalformedACLError');
  return { kind, grantee: named[0]!.trim(), permission };
}

/**
 * The account may do everything, so that it need not be named; whoever else is named must be granted what the bucket
 * grants.
 */
function agrees(grants: readonly Grant[], space: Space, accountId: string): boolean {
  const isOwn = ({ kind, grantee }: Grant) => kind === 'id' && grantee === accountId;
  const own = grants.filter(isOwn);
  if (own.length > 0 && !own.some(({ permission }) => permission === 'FULL_CONTROL')) return false;
  const wanted = grantsOf(space, accountId).filter((grant) => !isOwn(grant));
  const isSame = (one: Grant) => (other: Grant) =>
    one.kind === other.kind && one.grantee === other.grantee && one.permission === other.permission;
  const others = grants.filter((grant) => !isOwn(grant));
  return others.every((grant) => wanted.some(isSame(grant))) && wanted.every((grant) => others.some(isSame(grant)));
}

const words = {
  private:
    'Nobody but the account reads the files of the bucket private, and an ACL cannot change that. Send no ACL, private or bucket-owner-full-control; to let everyone read a file, write or copy it to the bucket public.',
  public:
    'Everyone reads the files of the bucket public, and an ACL cannot change that. Send no ACL, public-read or bucket-owner-full-control (rclone: --s3-acl, s3cmd: --acl-public); to keep a file from others, write or move it to the bucket private.',
  legacy:
    'Everyone reads the files of the bucket legacy, and an ACL cannot change that. To keep a file from others, move it to the bucket private.',
};

function otherwise(code: 'AccessControlListNotSupported' | 'NotImplemented', space: Space): S3Refusal {
  return new S3Refusal(code, { message: words[space] });
}
