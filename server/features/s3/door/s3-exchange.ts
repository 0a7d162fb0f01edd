import type { Caller } from '#server/domain/access/caller.ts';
import { findS3Owner } from '#server/domain/access/s3-key-pair.ts';
import type { Account } from '#server/domain/account/account.ts';
import { requireOpen } from '#server/domain/account/closed-account.ts';
import { s3RequestsPerWindow, s3WindowMs } from '#server/domain/plan.ts';
import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { maxS3PutBytes, maxS3WritesAtOnce } from '../limits.ts';
import { S3Refusal } from '../s3-refusal.ts';
import { contentLength } from '#server/http/body-chunks.ts';
import { requestId } from '#server/http/request-id.ts';
import type { Representation } from '#server/http/send-representation.ts';
import { setHeaders } from '#server/http/wire-headers.ts';
import type { Exchange, Reply, Requirements, Run } from '#server/pipeline/exchange.ts';
import type { Slot } from '#server/pipeline/request-limits.ts';
import type { RequestContext } from '#server/pipeline/request-context.ts';
import { endWith } from '#server/pipeline/send-body.ts';
import { authorize, requireOwner } from './authorize.ts';
import { isPostForm, openPostForm } from './body/post-form.ts';
import type { S3Context, S3Stores } from './context.ts';
import { errorReply, s3Failure } from './errors.ts';
import { targetOf, type S3Request } from './request.ts';
import type { routeOf } from './routes.ts';
import { authenticateForm, authenticateRequest } from './signature/authenticate.ts';

/** Loads the operations. Once they are loaded, it must cost a request nothing. */
export type LoadRoutes = () => Promise<{ readonly routeOf: typeof routeOf }>;

/** One request to the gateway. */
export class S3Exchange implements Exchange<S3Refusal> {
  readonly rangesOnHead = true;
  readonly failureOf = s3Failure;
  readonly #stores: S3Stores;
  readonly #s3Host: string;
  readonly #context: RequestContext;
  readonly #loadRoutes: LoadRoutes;
  #request: S3Request | undefined;
  #accessKeyId = '';
  #run: Run | undefined;

  constructor(stores: S3Stores, s3Host: string, loadRoutes: LoadRoutes, context: RequestContext) {
    this.#stores = stores;
    this.#s3Host = s3Host;
    this.#loadRoutes = loadRoutes;
    this.#context = context;
  }

  async authenticate(): Promise<Caller> {
    const { req } = this.#context;
    // Preflights are never signed, and get their response before this.
    if (req.method === 'OPTIONS')
      throw new S3Refusal('BadRequest', {
        message: 'A preflight needs the headers Origin and Access-Control-Request-Method.',
      });
    const owners = {
      findOwner: (accessKeyId: string) => {
        this.#accessKeyId = accessKeyId;
        return findS3Owner(this.#stores, accessKeyId);
      },
      now: () => this.#stores.clock.now(),
    };
    const target = targetOf(req.url ?? '', req.headers.host, this.#s3Host);
    if (isPostForm(req, target)) {
      const request = await openPostForm(req, target, this.#context.holdBody('form'));
      this.#request = request;
      return authenticateForm(owners, request.form);
    }
    const { caller, request } = await authenticateRequest(owners, req, target);
    this.#request = request;
    return caller;
  }

  isWrongCredential(error: unknown): boolean {
    return error instanceof S3Refusal && ['InvalidAccessKeyId', 'SignatureDoesNotMatch'].includes(error.code);
  }

  async admitCaller(found: Caller | undefined): Promise<Requirements> {
    const caller = found!;
    const request = this.#request!;
    const route = (await this.#loadRoutes()).routeOf(request);
    const { client } = this.#context;
    this.#context.note({ operation: `s3.${route.name}`, template: route.template });
    authorize(caller, route.needs, request.key);
    requireOwner(request, 'x-amz-expected-bucket-owner', caller);
    const context = this.#context;
    const s3Context: S3Context = {
      ...this.#stores,
      caller,
      actor: { sourceIp: client.address, userAgent: client.userAgent, auth: 's3', keyId: caller.key.id },
      signal: () => context.signal,
      hold: () => context.holdBody('caller'),
    };
    this.#run = () => route.run(s3Context, request);
    return {
      buckets: [bucketOf(caller.account)],
      slot: route.bringsBytes && slotOf(caller.account),
      afterWait: () => this.#requireOwner(),
      diskSpace: route.needsDiskSpace && diskSpaceFor(request),
    };
  }

  /** @throws InvalidAccessKeyId, ACCOUNT_SUSPENDED when the pair or the account has ended meanwhile */
  async #requireOwner(): Promise<void> {
    const owner = await findS3Owner(this.#stores, this.#accessKeyId);
    if (!owner) throw new S3Refusal('InvalidAccessKeyId');
    requireOpen(owner.caller.account);
  }

  async parse(): Promise<Run> {
    return this.#run!;
  }

  sendBody({ body }: Reply): void {
    if (typeof body === 'string' || Buffer.isBuffer(body)) this.#sendXml(body);
    else this.#context.res.end();
  }

  sendUnmet(status: 412 | 416, { sizeBytes }: Representation): void {
    const { headers } = this.#context.req;
    // `If-Unmodified-Since` is evaluated only without `If-Match` (RFC 9110 section 13.2.2).
    const condition = headers['if-match'] === undefined ? 'If-Unmodified-Since' : 'If-Match';
    this.sendRefusal(
      status === 412
        ? new S3Refusal('PreconditionFailed', { details: { Condition: condition } })
        : new S3Refusal('InvalidRange', {
            details: { RangeRequested: headers.range ?? '', ActualObjectSize: String(sizeBytes) },
          }),
    );
  }

  sendRefusal(refusal: S3Refusal): void {
    const { req, res } = this.#context;
    this.#context.note({ code: refusal.code });
    const { status, body } = errorReply(refusal, {
      resource: (req.url ?? '').split('?', 1)[0]!,
      requestId: requestId(res),
    });
    res.statusCode = status;
    res.setHeader('Link', `<${this.#context.docsUrl}/docs/s3-errors#${refusal.code.toLowerCase()}>; rel="help"`);
    setHeaders(res, refusal.headers);
    if (req.method === 'HEAD') res.end();
    else this.#sendXml(body);
  }

  #sendXml(xml: string | Buffer): void {
    const { res } = this.#context;
    res.setHeader('Content-Type', 'application/xml');
    endWith(res, xml);
  }
}

/**
 * Returns the bucket of the only limit that counts requests to the gateway. S3's clients give up after two or three
 * retries within seconds, so requests over the limit wait for the next window.
 */
function bucketOf({ id, plan }: Account): Bucket {
  const limit = s3RequestsPerWindow[plan];
  return { key: `s3:${id}`, name: 's3', limit, windowMs: s3WindowMs, cost: 1, maxWaiting: limit };
}

/** Returns one of the account's slots for requests that bring bytes. They wait for one too. */
function slotOf({ id, plan }: Account): Slot {
  const message =
    `The account already sends ${maxS3WritesAtOnce} files and parts at once, which is the most. Wait until one has ` +
    'ended, then try again.';
  return {
    key: `s3-writes:${id}`,
    limit: maxS3WritesAtOnce,
    maxWaiting: s3RequestsPerWindow[plan],
    refusal: () => new Refusal('RATE_LIMITED', { retryAfterSeconds: 1, message }),
  };
}

/**
 * Returns the disk space that a request needs. A file that is too large in any case is refused for its size, and not
 * for the disk.
 */
function diskSpaceFor({ body, incoming }: S3Request): Requirements['diskSpace'] {
  const bytes = body.announcedBytes ?? contentLength(incoming) ?? 0;
  return { bytes: bytes > maxS3PutBytes ? undefined : bytes };
}
