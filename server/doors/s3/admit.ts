import type { Request, Response } from 'express';

import type { Caller } from '#server/domain/access/caller.ts';
import { findS3Owner } from '#server/domain/s3/credentials.ts';
import { maxS3PutBytes } from '#server/domain/s3/limits.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { declaredLength } from '#server/http/body-chunks.ts';
import { addressBucket, clientAddress } from '#server/http/client-address.ts';
import { parseQuery } from '#server/http/query.ts';
import { noteOperation } from '#server/pipeline/access-log.ts';
import { authenticateForm, authenticateS3 } from './authenticate.ts';
import type { S3Context, S3Reply } from './context.ts';
import type { S3DoorDeps } from './door-deps.ts';
import { guardS3 } from './guard-s3.ts';
import { isPostForm, openPostForm, postObject, refuseOtherPost } from './operations/post-object.ts';
import { requestOf, targetOf, type S3Target } from './request.ts';
import type { Route } from './route-row.ts';
import { routeOf } from './route.ts';
import { isPresigned } from './signature/presigned.ts';

/** What was let in: called once or more, it answers. */
export type Admitted = () => Promise<S3Reply>;

/** Asks in the order in which requests are refused: blocked address, signature, what the key may do, limits. */
export async function admit(deps: S3DoorDeps, s3Host: string, req: Request, res: Response): Promise<Admitted> {
  const address = clientAddress(req, deps.isTrustedProxy);
  await deps.limits.refuseBlocked(addressBucket(address));
  const target = targetOf(req.url, req.headers.host, s3Host);
  const gone = goneAway(res);
  const contextOf = (caller: Caller): S3Context => ({
    ...deps.stores,
    caller,
    actor: { sourceIp: address, userAgent: req.get('User-Agent') ?? null, auth: 's3' },
    signal: gone,
  });
  if (isPostForm(req, target) && !isPresigned(parseQuery(req.url)))
    return admitForm(deps, req, res, target.bucket!, contextOf);
  refuseOtherPost(req, target);

  const {
    caller,
    body,
    isPresigned: inQuery,
  } = await countingFailures(deps, addressBucket(address), () => authenticateS3(owners(deps), req, target));
  const request = requestOf(req, target, body, inQuery);
  noteCaller(deps, res, caller);
  const route = routeOf(request);
  allow(res, caller, route, request);
  requireOwner(request.header('x-amz-expected-bucket-owner'), caller);
  await deps.limits.countS3(res, caller.account);
  const run = () => route.run(contextOf(caller), request);
  if (!route.writesBytes && !route.beginsBytes) return run;
  return taking(deps, caller, route.writesBytes === true, request.body.announcedBytes, run);
}

const postRoute = { name: 'PostObject', on: 'object', needs: 'write' } as const;

async function admitForm(
  deps: S3DoorDeps,
  req: Request,
  res: Response,
  bucket: string,
  contextOf: (caller: Caller) => S3Context,
): Promise<Admitted> {
  const form = await openPostForm(req, bucket);
  const address = addressBucket(clientAddress(req, deps.isTrustedProxy));
  const caller = await countingFailures(deps, address, () => authenticateForm(owners(deps), form.fields));
  noteCaller(deps, res, caller);
  allow(res, caller, postRoute, form);
  await deps.limits.countS3(res, caller.account);
  return taking(deps, caller, true, declaredLength(req), () => postObject(contextOf(caller), form, req));
}

/**
 * Takes room on the disk, and one of the account's places for bytes, for as long as the request runs. Asked before a byte of the file is
 * read. A file that is too large anyway is refused for that.
 *
 * @throws INSUFFICIENT_STORAGE, RATE_LIMITED
 */
async function taking(
  { limits, stores: { room } }: S3DoorDeps,
  { account }: Caller,
  takesPlace: boolean,
  announcedBytes = 0,
  run: Admitted,
): Promise<Admitted> {
  const leaveRoom = await room.require(announcedBytes > maxS3PutBytes ? undefined : announcedBytes);
  try {
    const leavePlace = takesPlace ? await limits.enterS3(account) : () => {};
    return () =>
      run().finally(() => {
        leavePlace();
        leaveRoom();
      });
  } catch (error) {
    leaveRoom();
    throw error;
  }
}

function owners({ stores }: S3DoorDeps): Parameters<typeof authenticateS3>[0] {
  return { findOwner: (accessKeyId) => findS3Owner(stores, accessKeyId), now: () => stores.clock.now() };
}

function noteCaller(deps: S3DoorDeps, res: Response, caller: Caller): void {
  noteOperation(res, { account: caller.account.id, key: caller.key.id });
  deps.noteUse(caller);
}

function allow(
  res: Response,
  caller: Caller,
  route: Pick<Route, 'name' | 'on' | 'needs'>,
  target: Pick<S3Target, 'bucket' | 'key'>,
): void {
  noteOperation(res, {
    operation: `s3.${route.name}`,
    template: { service: '/', bucket: '/{bucket}', object: '/{bucket}/{key}' }[route.on],
  });
  guardS3(caller, route, target);
}

/** What fails here counts against the address, as a wrong key does at the other doors. */
async function countingFailures<T>(
  { limits }: S3DoorDeps,
  address: string,
  authenticate: () => Promise<T>,
): Promise<T> {
  try {
    return await authenticate();
  } catch (error) {
    if (error instanceof S3Refusal && (error.code === 'InvalidAccessKeyId' || error.code === 'SignatureDoesNotMatch'))
      await limits.countFailure(address);
    throw error;
  }
}

/** @throws AccessDenied */
function requireOwner(expected: string | undefined, { account }: Caller): void {
  if (expected !== undefined && expected !== account.id)
    throw new S3Refusal('AccessDenied', {
      message: 'The bucket belongs to another account than x-amz-expected-bucket-owner says.',
    });
}

/** Aborted when the connection ends before the answer is out. */
function goneAway(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort(new Error('The client has gone away.'));
  });
  return gone.signal;
}
