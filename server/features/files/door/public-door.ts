import type { RequestListener } from 'node:http';

import { policies } from '#generated/policies.ts';
import type { Representation } from '#server/http/send-representation.ts';
import {
  cappedCacheControl,
  defaultCacheControl,
  forbidsSharing,
  queryCacheControl,
  redirectCacheControl,
  servedCacheControl,
} from '#server/domain/cache-control.ts';
import type { Content } from '#server/domain/contents/table.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { parsePublicPath, publicPath, type PublicAddress } from '#server/features/files/public-url.ts';
import { servingOf } from '#server/features/files/serving.ts';
import type { ByteRange } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { fileRepresentation } from '../handlers/file-representation.ts';
import { variantOf, type FileVariants } from '../handlers/file-variants.ts';
import { servedElsewhere, type ElsewhereDeps } from '../handlers/served-elsewhere.ts';
import { filesCors } from '#server/http/cors.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { parseQuery } from '#server/http/query.ts';
import { wireValue } from '#server/http/wire-headers.ts';
import type { Exchange, Failure, Reply, Requirements, Run } from '#server/pipeline/exchange.ts';
import { openDoor, type CountedDoorDeps } from '#server/pipeline/listener.ts';
import type { Answer } from '#server/pipeline/pipeline.ts';
import { sendRefusal, sendUnmet } from '#server/pipeline/error-response.ts';
import { sendContent } from '#server/pipeline/send-body.ts';
import { storeRefusal } from '#server/pipeline/store-refusal.ts';
import { contextOf, type RequestContext } from '#server/pipeline/request-context.ts';

interface Found {
  readonly object: StoredObject;
  readonly content: Content;
}

interface Deps extends CountedDoorDeps, ElsewhereDeps {
  readonly answer: Answer;
  /** The address of this door for clients, without a trailing slash. */
  readonly publicHost: string;
  readonly clock: Clock;
  /** Undefined if the server makes none. */
  readonly variants: FileVariants | undefined;
  /** @throws FILE_NOT_FOUND */
  find(address: PublicAddress): Promise<Found>;
  open(content: Content, range: ByteRange | undefined): ReturnType<Representation['open']>;
}

const exposedHeaders = ['X-Request-Id', 'ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition', 'Link'];
const noted = { operation: 'getPublicFile', template: policies.getPublicFile.path };

/** Serves public files under `/<account_id>/<key>`, perhaps behind a CDN. */
export function publicDoor(deps: Deps): RequestListener {
  const cors = filesCors({ exposedHeaders, maxAgeSeconds: 7200 });
  return openDoor('public', deps, (req, res) =>
    cors(req, res, () => {
      const context = contextOf(res);
      context.note(noted);
      if (req.method !== 'OPTIONS') return void deps.answer(context, new PublicExchange(deps, context));
      refuseRemainingBody(req, res);
      res.writeHead(204, { Allow: allowed }).end();
    }),
  );
}

const allowed = 'GET, HEAD, OPTIONS';

/** One request for a public file. */
class PublicExchange implements Exchange<Refusal> {
  readonly #deps: Deps;
  readonly #context: RequestContext;

  constructor(deps: Deps, context: RequestContext) {
    this.#deps = deps;
    this.#context = context;
  }

  async admitCaller(): Promise<Requirements> {
    const { method } = this.#context.req;
    if (method === 'GET' || method === 'HEAD') return {};
    this.#context.res.setHeader('Allow', allowed);
    throw new Refusal('METHOD_NOT_ALLOWED');
  }

  async parse(): Promise<Run> {
    const { path, query } = targetOf(this.#context.req.url ?? '');
    const address = parsePublicPath(path);
    if (!address) throw new Refusal('FILE_NOT_FOUND');
    return async () => {
      const { object, content } = await this.#deps.find(address);
      this.#context.note({ account: address.accountId });
      this.#context.owner = address.accountId;
      // Checked last, so that missing and private files give the same response in every spelling.
      const canonical = publicPath(address);
      return path === canonical
        ? { status: 200, body: await this.#body(object, content, query) }
        : this.#redirect(object, canonical + query);
    };
  }

  async #body(object: StoredObject, content: Content, query: string): Promise<Representation> {
    const file = this.#file(object, content, query !== '');
    if (query === '') return file;
    const { variants, publicHost } = this.#deps;
    const variant = await variantOf(variants, {
      accountId: object.accountId,
      address: publicHost + publicPath(object),
      parameters: parseQuery(query),
      accept: this.#context.req.headers.accept,
      content,
      file,
      serving: servingOf(object),
    });
    return variant ?? file;
  }

  /**
   * A CDN caches each spelling of a path separately, and a purge names one. So only one spelling returns the file, and
   * the others redirect to it.
   */
  #redirect(object: StoredObject, target: string): Reply {
    const headers = {
      Location: this.#deps.publicHost + target,
      'Cache-Control': redirectCacheControl(this.#cacheControl(object)),
      'Content-Length': '0',
    };
    return { status: 301, headers };
  }

  #file(object: StoredObject, content: Content, hasQuery: boolean): Representation {
    const cacheControl = this.#cacheControl(object);
    const file = fileRepresentation(object, servingOf(object), {
      cacheControl: hasQuery ? queryCacheControl(cacheControl) : cacheControl,
      open: (range) => this.#deps.open(content, range),
    });
    return servedElsewhere(this.#deps, content, file, {
      endsAt: object.expiresAt,
      cacheControl: redirectCacheControl(cacheControl),
    });
  }

  #cacheControl({ cacheControl, clientProperties, expiresAt }: StoredObject): string {
    const own = clientProperties?.cacheControl;
    const header =
      own !== undefined && forbidsSharing(own)
        ? (wireValue('Cache-Control', own) ?? 'private, no-store')
        : cacheControl === null
          ? defaultCacheControl
          : servedCacheControl(cacheControl);
    return cappedCacheControl(header, expiresAt && expiresAt - this.#deps.clock.now());
  }

  isWrongCredential(): boolean {
    return false;
  }

  sendBody(reply: Reply): void {
    sendContent(this.#context.res, reply);
  }

  sendUnmet(status: 412 | 416): void {
    sendUnmet(this.#context.res, status);
  }

  failureOf(error: unknown): Failure<Refusal> {
    if (error instanceof Refusal) return { refusal: error };
    const refusal = storeRefusal(error);
    if (refusal) return { refusal, fault: error };
    return { refusal: new Refusal('INTERNAL_SERVER_ERROR'), fault: error, isUnexpected: true };
  }

  sendRefusal(refusal: Refusal): void {
    // An unknown method gets the same response as on the other doors.
    sendRefusal(this.#context.res, refusal, refusal.code === 'METHOD_NOT_ALLOWED' ? 'envelope' : 'text');
  }
}

/** @returns the query with its question mark; empty without one */
function targetOf(url: string): { readonly path: string; readonly query: string } {
  // A fragment after the query is ignored. Clients send none.
  const [, path = '', query = ''] = /^([^?]*)(\?[^#]*)?/.exec(url) ?? [];
  return { path, query };
}
