import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Caller } from '#server/domain/access/caller.ts';
import type { S3Owner } from '#server/domain/access/s3-key-pair.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { parseQuery, type RawQuery } from '#server/http/query.ts';
import type { S3Body, S3Target } from './request.ts';
import {
  canonicalPaths,
  canonicalQuery,
  canonicalRequest,
  isSignatureOf,
  signedForms,
  signingKey,
  stringToSign,
  type Signable,
} from './signature/canonical.ts';
import { headerClaim, type SignatureClaim } from './signature/header.ts';
import { signatureMismatch } from './signature/mismatch.ts';
import { payloadBody, presignedBody } from './signature/payload.ts';
import { formClaim, type FormFields } from './signature/post-policy.ts';
import { isPresigned, presignedClaim, withoutSignature } from './signature/presigned.ts';
import { isOlderAddress, olderAddress } from './signature/version-2.ts';

/** Who has signed a request, and its body as the signature says that it is to be read. */
export interface Authenticated {
  readonly caller: Caller;
  readonly body: S3Body;
  readonly isPresigned: boolean;
}

interface Deps {
  /** Undefined for an access key id that opens nothing. */
  findOwner(accessKeyId: string): Promise<S3Owner | undefined>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Checks the signature of a request, in its header or its query.
 *
 * @throws InvalidAccessKeyId, SignatureDoesNotMatch, and what the readers of the two forms do
 */
export async function authenticateS3(
  { findOwner, now }: Deps,
  req: IncomingMessage,
  target: S3Target,
): Promise<Authenticated> {
  const query = parseQuery(req.url ?? '');
  const rawQuery = rawQueryOf(req.url ?? '');
  const inQuery = isPresigned(query);
  const authorization = req.headers.authorization || undefined;
  requireOneSignature(query, inQuery, authorization);
  refuseUnreadableQuery(rawQuery);
  const claim = inQuery ? presignedClaim(req, query, now()) : headerClaim(req, authorization!, now());
  const owner = await findOwner(claim.accessKeyId);
  if (!owner) throw new S3Refusal('InvalidAccessKeyId', { details: { AWSAccessKeyId: claim.accessKeyId } });
  const key = signingKey(owner.secretAccessKey, claim.scope);
  const signedForm = signedRequest(key, claim, {
    method: req.method ?? '',
    rawPath: target.rawPath,
    query: canonicalQuery(inQuery ? withoutSignature(rawQuery) : rawQuery),
    signedHeaders: claim.signedHeaders,
    headerValues: (name) => req.headersDistinct[name] ?? [],
    payloadHash: claim.payloadHash,
  });
  const body = inQuery
    ? presignedBody(req, claim.payloadHash)
    : payloadBody(req, claim.payloadHash, { ...claim, key, canonicalRequest: signedForm });
  return { caller: owner.caller, body, isPresigned: inQuery };
}

/** @throws InvalidArgument, InvalidRequest, AccessDenied */
function requireOneSignature(query: RawQuery, inQuery: boolean, authorization: string | undefined): void {
  if (inQuery && authorization !== undefined) {
    throw new S3Refusal('InvalidArgument', {
      message: 'Sign the request in the Authorization header or in the query, not in both.',
    });
  }
  if (inQuery || authorization !== undefined) return;
  if (isOlderAddress(query)) throw olderAddress();
  throw new S3Refusal('AccessDenied', {
    message:
      'The request is not signed. There are no anonymous reads here: the account is known from the signature alone.',
  });
}

function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

function refuseUnreadableQuery(rawQuery: string): void {
  try {
    decodeURIComponent(rawQuery);
  } catch {
    throw new S3Refusal('InvalidURI', { message: 'The query is no percent-encoded UTF-8.' });
  }
}

/** The canonical form of the request that was signed, of those that it may have. @throws SignatureDoesNotMatch */
function signedRequest(
  key: KeyObject,
  { timestamp, scope, signature, accessKeyId }: SignatureClaim,
  signable: Signable,
): string {
  const forms = signedForms(signable).flatMap((form) =>
    canonicalPaths(form.rawPath).map((path) => canonicalRequest(form, path)),
  );
  const signed = forms.find((form) => isSignatureOf(key, stringToSign(timestamp, scope, form), signature));
  if (signed === undefined)
    throw signatureMismatch({
      accessKeyId,
      stringToSign: stringToSign(timestamp, scope, forms[0]!),
      signature,
      canonicalRequest: forms[0]!,
    });
  return signed;
}

/**
 * Checks the signature of a form's policy.
 *
 * @throws InvalidAccessKeyId, SignatureDoesNotMatch, and what the reader of the form does
 */
export async function authenticateForm({ findOwner }: Pick<Deps, 'findOwner'>, fields: FormFields): Promise<Caller> {
  const { accessKeyId, policy, signature, isSignedBy } = formClaim(fields);
  const owner = await findOwner(accessKeyId);
  if (!owner) throw new S3Refusal('InvalidAccessKeyId', { details: { AWSAccessKeyId: accessKeyId } });
  if (!isSignedBy(owner.secretAccessKey)) throw signatureMismatch({ accessKeyId, stringToSign: policy, signature });
  return owner.caller;
}
