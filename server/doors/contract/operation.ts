import type { Request, RequestHandler, Response } from 'express';

import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId, type OperationPolicy } from '#generated/policies.ts';
import type { Handle, Reply } from '#generated/router.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { Account } from '#server/domain/account/account.ts';
import type { IncomingBytes } from '#server/domain/chunked/put-part.ts';
import type { IncomingFile } from '#server/domain/objects/upload-object.ts';
import { isAtLeast } from '#server/domain/plan.ts';
import { maxUploadBytes } from '#server/domain/limits.ts';
import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import type { DiskRoom } from '#server/domain/ports/disk-room.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call, IncomingRaw } from '#server/handlers/call.ts';
import type { FieldChecks } from '#server/handlers/field-checks.ts';
import { asksForHtml } from '#server/http/accept.ts';
import { declaredLength } from '#server/http/body-chunks.ts';
import { addressBucket, clientAddress, type IsTrusted } from '#server/http/client-address.ts';
import { parseCookies } from '#server/http/cookies.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { parseQuery } from '#server/http/query.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import { noteOperation } from '#server/pipeline/access-log.ts';
import { guard, guardUpload, type Guarded } from './guard.ts';
import { announceOwn, type RequestLimits } from '#server/pipeline/limits.ts';
import { withoutPinned } from './pinned-query.ts';
import { faultDetails, sendRefusal } from '#server/pipeline/render.ts';
import {
  openBytes,
  openFile,
  openRaw,
  readFields,
  takesBytes,
  takesFields,
  takesFile,
  type FieldsBody,
} from './request-body.ts';
import { sendReplyOf } from '#server/pipeline/send-reply.ts';
import type { ShapeChecker } from './shape.ts';

export interface OperationDeps {
  /** @throws ACCESS_DENIED, UPLOAD_TOKEN_USED */
  authenticate(
    authorization: string | undefined,
    policy: OperationPolicy,
    cookies: ReadonlyMap<string, string>,
  ): Promise<Caller>;
  /** Called for each authenticated request; must not throw. */
  noteUse(caller: Caller): void;
  /**
   * The account whose link a request without credentials follows, for the limits; undefined for one that opens nothing. It
   * must not tell links that are unknown from those that are to look unknown, as the limits' headers show the difference.
   */
  ownerOf(operationId: OperationId, pathParameters: Readonly<Record<string, string>>): Promise<string | undefined>;
  /** The key of the file that an upload of the account will be; undefined when the handle names none. */
  uploadKey(accountId: string, handle: string): Promise<string | undefined>;
  readonly limits: RequestLimits;
  /** Asked before the body of an operation that declares INSUFFICIENT_STORAGE is read. */
  readonly room: Pick<DiskRoom, 'require'>;
  readonly shapes: ShapeChecker;
  readonly fieldChecks: FieldChecks;
  readonly isTrustedProxy: IsTrusted;
  readonly log: Log;
  readonly metrics: Metrics;
}

type Handler = Parameters<Handle<Call>>[1];

/**
 * Brings everything around a handler, in the order in which requests are refused: blocked address, credential, scope
 * and prefix, limits, shape, plan; at the AI gateway the plan before the shape. Then the handler runs, and its reply or
 * refusal is rendered.
 */
export function operationHandle(deps: OperationDeps): Handle<Call> {
  return (operationId, handler): RequestHandler => {
    const policy = policies[operationId];
    return async (req, res) => {
      noteOperation(res, { operation: operationId, template: policy.path });
      const leaving: Array<() => void> = [];
      try {
        const run = await admit(deps, operationId, policy, handler, req, res, leaving);
        await sendReplyOf(deps, req, res, run);
      } catch (error) {
        sendFailure(deps, operationId, policy, req, res, error);
      } finally {
        for (const leave of leaving) leave();
      }
    };
  };
}

/** Lets a request in, and answers what runs its handler; that may run more than once when it reads a file. */
async function admit(
  deps: OperationDeps,
  operationId: OperationId,
  policy: OperationPolicy,
  handler: Handler,
  req: Request,
  res: Response,
  leaving: Array<() => void>,
): Promise<() => Promise<Reply>> {
  const query = parseQuery(req.url);
  const pathParameters = req.params as Record<string, string>;
  const origin = { address: clientAddress(req, deps.isTrustedProxy), userAgent: req.get('User-Agent') ?? null };
  const address = addressBucket(origin.address);
  const caller = policy.credentials.length > 0 ? await authenticated(deps, policy, req, res, address) : undefined;
  const fields = takesFields(policy) ? await readFields(req, policy) : undefined;
  if (caller)
    await guarded(deps, policy, caller, { origin: req.headers.origin, query, pathParameters, body: valueOf(fields) });

  const account = caller?.account;
  const ownerId = account?.id ?? (await deps.ownerOf(operationId, pathParameters));
  const countMiss = await deps.limits.count(res, policy, {
    account,
    ownerId,
    address,
    pathParameters,
    files: filesIn(valueOf(fields)),
  });
  leaving.push(await deps.limits.enter(policy, account));

  if (policy.plan?.before === 'body') requirePlan(policy.plan, account);
  if (fields && 'refusal' in fields) throw fields.refusal;
  const asked = policy.uploadToken === 'spend' && caller?.token ? withoutPinned(query, caller.token.pins) : query;
  const input = await deps.shapes.check(operationId, policy, {
    pathname: req.path,
    pathParameters,
    query: asked,
    body: valueOf(fields),
  });
  if (needsRoom(operationId)) leaving.push(await deps.room.require(announcedBytes(req)));
  const file = takesFile(policy) ? await openFile(req) : undefined;
  if (file) leaving.push(() => file.abandon());
  const bytes = takesBytes(policy) ? openBytes(req) : undefined;
  const raw = policy.rawBody && openRaw(req, policy.rawBody.maxBytes);
  const asks = { isHead: req.method === 'HEAD', range: req.get('Range') };
  const call = callOf(operationId, {
    origin,
    browser: () => browserOf(req),
    asks,
    caller,
    file,
    bytes,
    raw,
    countMiss,
    announceLimit: (left) => announceOwn(res, policy, left),
    signal: goneAway(res),
    note: (more) => noteOperation(res, more),
  });
  deps.fieldChecks[operationId]?.(input as never, call);

  if (policy.plan && policy.plan.before !== 'body') requirePlan(policy.plan, account);
  return async () => handler(input, call);
}

function needsRoom(operationId: OperationId): boolean {
  const declared: readonly string[] = codesOfOperation[operationId];
  return declared.includes('INSUFFICIENT_STORAGE');
}

/** What is too large anyway is refused for that. */
function announcedBytes(req: Request): number | undefined {
  const bytes = declaredLength(req);
  return bytes !== undefined && bytes > maxUploadBytes ? undefined : bytes;
}

function requirePlan({ minimum, code }: NonNullable<OperationPolicy['plan']>, account: Account | undefined): void {
  if (!account || !isAtLeast(account.plan, minimum))
    throw new Refusal(
      code,
      code === 'UPGRADE_REQUIRED'
        ? { detail: `It needs the ${minimum[0]!.toUpperCase()}${minimum.slice(1)} plan or above.` }
        : {},
    );
}

async function guarded(
  { uploadKey }: OperationDeps,
  policy: OperationPolicy,
  caller: Caller,
  request: Guarded,
): Promise<void> {
  guard(policy, caller, request);
  await guardUpload(policy, caller, request, uploadKey);
}

async function authenticated(
  deps: OperationDeps,
  policy: OperationPolicy,
  req: Request,
  res: Response,
  address: string,
): Promise<Caller> {
  await deps.limits.refuseBlocked(address);
  try {
    const caller = await deps.authenticate(req.headers.authorization, policy, parseCookies(req.get('Cookie')));
    noteOperation(res, {
      account: caller.account.id,
      key: caller.key.id,
      ...(caller.token && { upload_token: caller.token.id }),
    });
    deps.noteUse(caller);
    return caller;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'ACCESS_DENIED') await deps.limits.countFailure(address);
    throw error;
  }
}

function valueOf(body: FieldsBody | undefined): unknown {
  return body && 'value' in body ? body.value : undefined;
}

/** How many files a JSON body names, for the limits that count files. */
function filesIn(body: unknown): number {
  const objects = typeof body === 'object' && body !== null && 'objects' in body ? body.objects : undefined;
  return Array.isArray(objects) ? objects.length : 1;
}

/** Aborted when the connection ends before the answer is out. */
function goneAway(res: Response): AbortSignal {
  const gone = new AbortController();
  const onClose = (): void => {
    if (!res.writableFinished) gone.abort(new Error('The client has gone away.'));
  };
  // It may have gone while its body was read.
  if (res.req.socket.destroyed) onClose();
  else res.once('close', onClose);
  return gone.signal;
}

function browserOf(req: Request): Call['browser'] {
  return {
    cookies: parseCookies(req.get('Cookie')),
    origin: req.get('Origin'),
    fetchSite: req.get('Sec-Fetch-Site'),
    asksForHtml: asksForHtml(req.get('Accept')),
    acceptLanguage: req.get('Accept-Language'),
  };
}

/** What there is of a call; an operation that asks for what it does not declare has a fault. */
interface CallParts extends Pick<Call, 'origin' | 'asks' | 'countMiss' | 'announceLimit' | 'signal' | 'note'> {
  /** Read only for those who ask. */
  readonly browser: () => Call['browser'];
  readonly caller: Caller | undefined;
  readonly file: IncomingFile | undefined;
  readonly bytes: IncomingBytes | undefined;
  readonly raw: IncomingRaw | undefined;
}

function callOf(
  operationId: OperationId,
  { origin, browser, asks, countMiss, announceLimit, signal, note, caller, file, bytes, raw }: CallParts,
): Call {
  const missing = (what: string) => new Error(`${operationId} has no ${what}.`);
  return {
    origin,
    asks,
    countMiss,
    announceLimit,
    signal,
    note,
    get browser() {
      return browser();
    },
    get caller() {
      if (!caller) throw missing('caller');
      return caller;
    },
    get file() {
      if (!file) throw missing('file');
      return file;
    },
    get bytes() {
      if (!bytes) throw missing('bytes');
      return bytes;
    },
    get raw() {
      if (!raw) throw missing('raw body');
      return raw;
    },
  };
}

function sendFailure(
  deps: OperationDeps,
  operationId: OperationId,
  policy: OperationPolicy,
  req: Request,
  res: Response,
  error: unknown,
): void {
  const refused = refusalOf(error);
  const ours = refused && declaredForm(operationId, refused);
  // Nobody is there to be answered, and going away is no fault.
  if (!ours && req.socket.destroyed) return noteOperation(res, { outcome: 'aborted' });
  const fault = ours ? ours.cause : error;
  if (fault !== undefined) {
    deps.log.error({ operation: operationId, ...faultDetails(res, fault) }, 'fault');
    deps.metrics.faultLogged();
  }
  if (res.headersSent) return void req.socket.destroy();
  const refusal =
    ours ?? declaredForm(operationId, new Refusal('INTERNAL_SERVER_ERROR')) ?? new Refusal('INTERNAL_SERVER_ERROR');
  noteOperation(res, { code: refusal.code });
  refuseRemainingBody(req, res);
  sendRefusal(res, refusal, policy.errorShape);
}

/** A refusal; stores that do not answer are one where the operation declares it. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable)
    return Object.assign(new Refusal('STORAGE_UNAVAILABLE'), { cause: error });
  return error instanceof Refusal ? error : undefined;
}

/**
 * The refusal as the operation declares it: the AI gateway writes the same codes in lower case. A refusal that the
 * contract does not declare is our bug, so it counts as a fault.
 */
function declaredForm(operationId: OperationId, refusal: Refusal): Refusal | undefined {
  const declared: readonly string[] = codesOfOperation[operationId];
  if (declared.includes(refusal.code)) return refusal;
  const lower = refusal.code.toLowerCase();
  if (!declared.includes(lower)) return undefined;
  const { retryAfterSeconds, shouldRetry, words, detail } = refusal;
  return new Refusal(lower as ErrorCode, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(shouldRetry !== undefined && { shouldRetry }),
    ...(words !== undefined && { message: words }),
    ...(detail !== undefined && { detail }),
  });
}
