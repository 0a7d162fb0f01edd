import type { Caller } from '#server/domain/access/caller.ts';
import type { Account } from '#server/domain/account/account.ts';
import { maxS3WritesAtOnce } from '#server/domain/limits.ts';
import { s3RequestsPerWindow, s3WindowMs } from '#server/domain/plan.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findS3Owner } from '#server/domain/access/s3-key-pair.ts';
import { maxS3PutBytes } from '#server/domain/s3/limits.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { declaredLength } from '#server/http/body-chunks.ts';
import { parseQuery } from '#server/http/query.ts';
import { requestId } from '#server/http/request-id.ts';
import type { Representation } from '#server/http/send-stream.ts';
import type { Demand, Exchange, Failure, Reply, Run } from '#server/pipeline/exchange.ts';
import type { Place } from '#server/pipeline/limits.ts';
import type { Visit } from '#server/pipeline/visit.ts';
import { authenticateForm, authenticateS3 } from './authenticate.ts';
import type { S3Context, S3Stores } from './context.ts';
import { errorXml, s3Errors, s3Failure } from './errors.ts';
import { guardS3 } from './guard-s3.ts';
import { isPostForm, openPostForm, postObject, refuseOtherPost, type PostForm } from './operations/post-object.ts';
import { requestOf, targetOf, type S3Request, type S3Target } from './request.ts';
import type { Route } from './route-row.ts';
import { routeOf } from './route.ts';
import { isPresigned } from './signature/presigned.ts';

const postRoute = { name: 'PostObject', on: 'object', needs: 'write' } as const;

const templates = { service: '/', bucket: '/{bucket}', object: '/{bucket}/{key}' };

/** What a signed request, or the fields of a signed form, asks for. */
type Asked = { readonly request: S3Request; readonly form?: undefined } | { readonly form: PostForm };

/** One request to the gateway. */
export class S3Exchange implements Exchange<S3Refusal> {
  readonly rangesOnHead = true;
  readonly #stores: S3Stores;
  readonly #s3Host: string;
  readonly #visit: Visit;
  #asked: Asked | undefined;
  #run: Run | undefined;

  constructor(stores: S3Stores, s3Host: string, visit: Visit) {
    this.#stores = stores;
    this.#s3Host = s3Host;
    this.#visit = visit;
  }

  async authenticate(): Promise<Caller> {
    const { req } = this.#visit;
    // A preflight, which nobody signs, is answered before this.
    if (req.method === 'OPTIONS') {
      const message = 'A preflight needs the headers Origin and Access-Control-Request-Method.';
      throw new S3Refusal('BadRequest', { message });
    }
    const owners = {
      findOwner: (accessKeyId: string) => findS3Owner(this.#stores, accessKeyId),
      now: () => this.#stores.clock.now(),
    };
    const url = req.url ?? '';
    const target = targetOf(url, req.headers.host, this.#s3Host);
    if (isPostForm(req, target) && !isPresigned(parseQuery(url))) {
      const form = await openPostForm(req, target.bucket!);
      this.#asked = { form };
      return authenticateForm(owners, form.fields);
    }
    refuseOtherPost(req, target);
    const { caller, body, isPresigned: inQuery } = await authenticateS3(owners, req, target);
    this.#asked = { request: requestOf(req, target, body, inQuery) };
    return caller;
  }

  isWrongCredential(error: unknown): boolean {
    return error instanceof S3Refusal && ['InvalidAccessKeyId', 'SignatureDoesNotMatch'].includes(error.code);
  }

  async demand(found: Caller | undefined): Promise<Demand> {
    const caller = found!;
    const asked = this.#asked!;
    const buckets = [bucketOf(caller.account)];
    if (asked.form) {
      const { form } = asked;
      this.#allow(caller, postRoute, form);
      this.#run = () => postObject(this.#context(caller), form, this.#visit.req);
      return { buckets, place: placeOf(caller.account), room: roomFor(declaredLength(this.#visit.req)) };
    }
    const { request } = asked;
    const route = routeOf(request);
    this.#allow(caller, route, request);
    requireOwner(request.header('x-amz-expected-bucket-owner'), caller);
    this.#run = () => route.run(this.#context(caller), request);
    return {
      buckets,
      place: route.writesBytes && placeOf(caller.account),
      room: route.writesBytes || route.beginsBytes ? roomFor(request.body.announcedBytes) : undefined,
    };
  }

  async parse(): Promise<Run> {
    return this.#run!;
  }

  #allow(caller: Caller, route: Pick<Route, 'name' | 'on' | 'needs'>, target: Pick<S3Target, 'bucket' | 'key'>): void {
    this.#visit.note({ operation: `s3.${route.name}`, template: templates[route.on] });
    guardS3(caller, route, target);
  }

  #context(caller: Caller): S3Context {
    const { origin, signal } = this.#visit;
    return {
      ...this.#stores,
      caller,
      actor: { sourceIp: origin.address, userAgent: origin.userAgent, auth: 's3' },
      signal,
    };
  }

  sendBody({ body }: Reply): void {
    const { res } = this.#visit;
    if (typeof body === 'string') this.#sendXml(body);
    else res.end();
  }

  sendUnmet(status: 412 | 416, { sizeBytes }: Representation): void {
    const { headers } = this.#visit.req;
    // `If-Unmodified-Since` is asked only where there is no `If-Match` (RFC 9110 section 13.2.2).
    const condition = headers['if-match'] === undefined ? 'If-Unmodified-Since' : 'If-Match';
    this.sendRefusal(
      status === 412
        ? new S3Refusal('PreconditionFailed', { details: { Condition: condition } })
        : new S3Refusal('InvalidRange', {
            details: { RangeRequested: headers.range ?? '', ActualObjectSize: String(sizeBytes) },
          }),
    );
  }

  failureOf(error: unknown): Failure<S3Refusal> {
    return s3Failure(error);
  }

  sendRefusal(refusal: S3Refusal): void {
    const { req, res } = this.#visit;
    this.#visit.note({ code: refusal.code });
    res.statusCode = s3Errors[refusal.code].status;
    for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
    if (req.method === 'HEAD') return void res.end();
    this.#sendXml(errorXml(refusal, { resource: (req.url ?? '').split('?', 1)[0]!, requestId: requestId(res) }));
  }

  #sendXml(xml: string): void {
    const { res } = this.#visit;
    const bytes = Buffer.from(xml);
    res.setHeader('Content-Type', 'application/xml');
    res.setHeader('Content-Length', bytes.length);
    res.end(bytes);
  }
}

/** A request to the gateway is counted by this limit, and by no other. */
function bucketOf({ id, plan }: Account) {
  return { key: `s3:${id}`, name: 's3', limit: s3RequestsPerWindow[plan], windowMs: s3WindowMs, cost: 1 };
}

/** One of the places that an account has for bytes that come over S3. */
function placeOf({ id }: Account): Place {
  const message = `The account sends ${maxS3WritesAtOnce} files and parts at once already, which is the most. Wait until one has ended, then try again.`;
  return {
    key: `s3-writes:${id}`,
    limit: maxS3WritesAtOnce,
    refusal: () => new Refusal('RATE_LIMITED', { retryAfterSeconds: 1, message }),
  };
}

/** A file that is too large anyway is refused for that. */
function roomFor(announcedBytes = 0): Demand['room'] {
  return { bytes: announcedBytes > maxS3PutBytes ? undefined : announcedBytes };
}

/** @throws AccessDenied */
function requireOwner(expected: string | undefined, { account }: Caller): void {
  if (expected !== undefined && expected !== account.id)
    throw new S3Refusal('AccessDenied', {
      message: 'The bucket belongs to another account than x-amz-expected-bucket-owner says.',
    });
}
