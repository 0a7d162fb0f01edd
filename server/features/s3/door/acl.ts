import { isDeepStrictEqual } from 'node:util';

import type { ObjectAddress, Space } from '#server/domain/object-id.ts';
import { S3Refusal } from '../s3-refusal.ts';
import { nodesIn, readXml, textIn, type XmlNode } from './body/xml-body.ts';
import { invalidArgument } from './errors.ts';
import type { Headers } from './request.ts';

/** The bucket and the account whose ACL is meant. */
type Owned = Pick<ObjectAddress, 'space' | 'accountId'>;

const kinds = ['ID', 'URI', 'EmailAddress'] as const;

/** One line of an ACL. `ID` names an account, `URI` a group. No account here is known by an `EmailAddress`. */
interface Grant {
  readonly kind: (typeof kinds)[number];
  readonly grantee: string;
  readonly permission: string;
}

/** The group of all readers, signed in or not. */
const everyone = 'http://acs.amazonaws.com/groups/global/AllUsers';

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

/**
 * Returns the grants of a bucket's files: everything to the account, and reading to everyone except in the private
 * bucket.
 */
export function grantsOf({ space, accountId }: Owned): Grant[] {
  const own: Grant = { kind: 'ID', grantee: accountId, permission: 'FULL_CONTROL' };
  return space === 'private' ? [own] : [own, { kind: 'URI', grantee: everyone, permission: 'READ' }];
}

/**
 * Checks that the ACL in headers says what the bucket says, and returns whether the headers have one. It changes
 * nothing.
 *
 * @throws AccessControlListNotSupported when it says something else, InvalidArgument, InvalidRequest
 */
export function requireAgreeingHeaders({ header, headerNames }: Headers, owned: Owned): boolean {
  const canned = header('x-amz-acl');
  const names = headerNames('x-amz-grant-');
  if (canned === undefined && names.length === 0) return false;
  if (canned !== undefined && names.length > 0)
    throw new S3Refusal('InvalidRequest', {
      message: 'Send a canned ACL in x-amz-acl or grants in x-amz-grant-…, not both.',
    });
  const isAgreeing =
    canned === undefined
      ? agrees(
          names.flatMap((name) => readGrants(name, header(name) ?? '')),
          owned,
        )
      : agreesCanned(canned, owned.space);
  if (!isAgreeing) throw disagreeing('AccessControlListNotSupported', owned.space);
  return true;
}

/** @throws InvalidArgument */
function agreesCanned(canned: string, space: Space): boolean {
  if (!cannedAcls.includes(canned))
    throw invalidArgument('x-amz-acl', `There is no canned ACL "${canned}". S3 has ${cannedAcls.join(', ')}.`, canned);
  const own = space === 'private' ? 'private' : 'public-read';
  return ['bucket-owner-full-control', 'bucket-owner-read', own].includes(canned);
}

/** Reads `id="…", uri="…"`. Some clients leave the quotes out. @throws InvalidArgument */
function readGrants(name: string, text: string): Grant[] {
  const permission = name.slice('x-amz-grant-'.length).replaceAll('-', '_').toUpperCase();
  if (!permissions.includes(permission))
    throw invalidArgument(
      name,
      `There is no header ${name}. S3 has x-amz-grant-full-control, -read, -write, -read-acp and -write-acp.`,
      text,
    );
  return text.split(',').map((part) => {
    const [, written, quoted, plain] = /^\s*([a-z]+)\s*=\s*(?:"([^"]+)"|([^"\s]+))\s*$/i.exec(part) ?? [];
    const kind = kinds.find((one) => one.toLowerCase() === written?.toLowerCase());
    if (kind === undefined)
      throw invalidArgument(
        name,
        `${name} must read id="…", uri="…" or emailAddress="…", several of them joined by commas.`,
        text,
      );
    return { kind, grantee: (quoted ?? plain)!, permission };
  });
}

/**
 * Checks that the list in a body says what the bucket says. It changes nothing.
 *
 * s3cmd puts the ACL of a file on each copy of it, and keeps the copy when that is not implemented. So another list is
 * refused with NotImplemented.
 *
 * @throws NotImplemented for another list, MalformedACLError, AccessDenied when it names another owner
 */
export function requireAgreeingList(xml: string, owned: Owned): void {
  const { owner, grants } = readList(xml);
  if (owner && owner !== owned.accountId)
    throw new S3Refusal('AccessDenied', {
      message:
        `The owner in the ACL is "${owner}". A file belongs to the account that stored it: name ` +
        `${owned.accountId}.`,
    });
  if (!agrees(grants, owned)) throw disagreeing('NotImplemented', owned.space);
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

/** @throws MalformedACLError, MalformedXML */
function readGrant(grant: XmlNode): Grant {
  const grantees = nodesIn(grant, 'Grantee');
  const named = grantees.flatMap((grantee) =>
    kinds.flatMap((kind) => {
      const text = textIn(grantee, kind);
      return text === undefined ? [] : [{ kind, grantee: text.trim() }];
    }),
  );
  const permission = textIn(grant, 'Permission')?.trim() ?? '';
  if (grantees.length !== 1 || named.length !== 1 || !permissions.includes(permission))
    throw new S3Refusal('MalformedACLError');
  return { ...named[0]!, permission };
}

/**
 * Whether grants say what the bucket says. The account need not be named, because it can do everything. Every other
 * grantee must be granted what the bucket grants.
 */
function agrees(grants: readonly Grant[], owned: Owned): boolean {
  const isOwn = ({ kind, grantee }: Grant) => kind === 'ID' && grantee === owned.accountId;
  const own = grants.filter(isOwn);
  if (own.length > 0 && !own.some(({ permission }) => permission === 'FULL_CONTROL')) return false;
  const textOf = ({ kind, grantee, permission }: Grant) => JSON.stringify([kind, grantee, permission]);
  const othersIn = (list: readonly Grant[]) => new Set(list.filter((grant) => !isOwn(grant)).map(textOf));
  return isDeepStrictEqual(othersIn(grants), othersIn(grantsOf(owned)));
}

const messages = {
  private:
    'Only the account reads the files of the bucket private, and an ACL cannot change that. Send no ACL, private ' +
    'or bucket-owner-full-control. To let everyone read a file, write or copy it to the bucket public.',
  public:
    'Everyone reads the files of the bucket public, and an ACL cannot change that. Send no ACL, public-read or ' +
    'bucket-owner-full-control (rclone: --s3-acl, s3cmd: --acl-public). To keep a file from others, write or ' +
    'move it to the bucket private.',
  legacy:
    'Everyone reads the files of the bucket legacy, and an ACL cannot change that. To keep a file from others, ' +
    'move it to the bucket private.',
};

function disagreeing(code: 'AccessControlListNotSupported' | 'NotImplemented', space: Space): S3Refusal {
  return new S3Refusal(code, { message: messages[space] });
}
