import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Caller } from '#server/domain/access/caller.ts';
import { requireOpen } from '#server/domain/account/closed-account.ts';
import type { S3Owner } from '#server/domain/access/s3-key-pair.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import type { RawQuery } from '#server/http/query.ts';
import { payloadBody, presignedBody } from '../body/payload.ts';
import { requestOf, type S3Request, type S3Target } from '../request.ts';
import {
  canonicalPaths,
  canonicalQuery,
  canonicalRequest,
  isSignatureOf,
  signedForms,
  signingKey,
  stringToSign,
  type Signable,
} from '#server/signature-v4/canonical.ts';
import { headerClaim, type SignatureClaim } from './header.ts';
import { hoistedHeaders } from './hoisted-headers.ts';
import { signatureMismatch } from './mismatch.ts';
import { formClaim, type FormFields } from './post-policy.ts';
import { isPresigned, presignedClaim, withoutSignature } from './presigned-claim.ts';
import { isOlderAddress, olderAddress } from './version-2.ts';

/** A request whose signature was checked, and its signer. */
interface Authenticated {
  readonly caller: Caller;
  readonly request: S3Request;
}

interface Deps {
  /** Returns undefined for an access key id that belongs to no live API key. */
  findOwner(accessKeyId: string): Promise<S3Owner | undefined>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Checks the signature of a request, which is in its `Authorization` header or in its query.
 *
 * @throws ACCOUNT_SUSPENDED, InvalidAccessKeyId, SignatureDoesNotMatch, and what `headerClaim()` and `presignedClaim()`
 * throw
 */
export async function authenticateRequest(
  { findOwner, now }: Deps,
  req: IncomingMessage,
  target: S3Target,
): Promise<Authenticated> {
  const { query, rawQuery } = target;
  const inQuery = isPresigned(query);
  const authorization = req.headers.authorization || undefined;
  requireOneSignature(query, inQuery, authorization);
  refuseUnreadable(rawQuery);
  const claim = inQuery ? presignedClaim(req, query, now()) : headerClaim(req, authorization!, now());
  const owner = await ownerOf(findOwner, claim.accessKeyId);
  const key = signingKey(owner.secretAccessKey, claim.scope);
  const signedForm = requireSignature(key, claim, {
    method: req.method ?? '',
    rawPath: target.rawPath,
    query: canonicalQuery(inQuery ? withoutSignature(rawQuery) : rawQuery),
    signedHeaders: claim.signedHeaders,
    headerValues: (name) => req.headersDistinct[name] ?? [],
    payloadHash: claim.payloadHash,
  });
  requireOpen(owner.caller.account);
  const body = inQuery
    ? presignedBody(req, claim.payloadHash)
    : payloadBody(req, claim.payloadHash, { ...claim, key, canonicalRequest: signedForm });
  return { caller: owner.caller, request: requestOf(req, target, body, inQuery ? hoistedHeaders(query) : undefined) };
}

/** @throws InvalidArgument, InvalidRequest, AccessDenied */
function requireOneSignature(query: RawQuery, inQuery: boolean, authorization: string | undefined): void {
  if (inQuery && authorization !== undefined)
    throw new S3Refusal('InvalidArgument', {
      message: 'Sign the request in the Authorization header or in the query, not in both.',
    });
  if (inQuery || authorization !== undefined) return;
  if (isOlderAddress(query)) throw olderAddress();
  throw new S3Refusal('AccessDenied', {
    message: 'The request is not signed. Sign it, because the signature tells whose files it is about.',
  });
}

/** @throws InvalidURI */
function refuseUnreadable(rawQuery: string): void {
  try {
    decodeURIComponent(rawQuery);
  } catch {
    throw new S3Refusal('InvalidURI', { message: 'The query is not percent-encoded UTF-8.' });
  }
}

/** @throws InvalidAccessKeyId */
async function ownerOf(findOwner: Deps['findOwner'], accessKeyId: string): Promise<S3Owner> {
  const owner = await findOwner(accessKeyId);
  if (!owner) throw new S3Refusal('InvalidAccessKeyId', { details: { AWSAccessKeyId: accessKeyId } });
  return owner;
}

/** Returns the canonical request that was signed, out of the forms that it can have. @throws SignatureDoesNotMatch */
function requireSignature(
  key: KeyObject,
  { timestamp, scope, signature, accessKeyId }: SignatureClaim,
  signable: Signable,
): string {
  const isSigned = (form: string) => isSignatureOf(key, stringToSign(timestamp, scope, form), signature);
  const usual = canonicalRequest(signable, canonicalPaths(signable.rawPath)[0]!);
  if (isSigned(usual)) return usual;
  const forms = signedForms(signable).flatMap((form) =>
    canonicalPaths(form.rawPath).map((path) => canonicalRequest(form, path)),
  );
  const signed = forms.find(isSigned);
  if (signed !== undefined) return signed;
  throw signatureMismatch({
    accessKeyId,
    stringToSign: stringToSign(timestamp, scope, usual),
    signature,
    canonicalRequest: usual,
  });
}

/**
 * Checks the signature of a form's policy. `checkPolicy()` checks the policy itself.
 *
 * @throws InvalidAccessKeyId, SignatureDoesNotMatch, and what `formClaim()` throws
 */
export async function authenticateForm({ findOwner }: Pick<Deps, 'findOwner'>, fields: FormFields): Promise<Caller> {
  const { accessKeyId, policy, signature, isSignedBy } = formClaim(fields);
  const owner = await ownerOf(findOwner, accessKeyId);
  if (!isSignedBy(owner.secretAccessKey)) throw signatureMismatch({ accessKeyId, stringToSign: policy, signature });
  requireOpen(owner.caller.account);
  return owner.caller;
}
