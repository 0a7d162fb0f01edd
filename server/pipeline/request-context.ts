import type { IncomingMessage, ServerResponse } from 'node:http';

import type { CallNotes, Client } from '#server/handlers/call.ts';
import type { BodyHold, BodyHolder, BodyMemory } from '#server/http/body-memory.ts';
import { addressBucket, clientAddress, type IsTrusted } from '#server/http/client-address.ts';

/** The facts that the access log records of a request, collected while it is handled. */
interface RequestNotes extends CallNotes {
  readonly door?: string;
  readonly operation?: string;
  /** The contract's path, because the real one may contain a secret. */
  readonly template?: string;
  readonly account?: string;
  readonly key?: string;
  /** The id of the operator's key. */
  readonly operator_key?: string;
  /** The id of the upload token, which is not secret. */
  readonly upload_token?: string;
  readonly code?: string;
  readonly bytes?: number;
  /** How long it waited for its turn under a limit. */
  readonly waited_ms?: number;
  readonly outcome?: string;
  /** The span of the request, if it is traced. */
  readonly trace_id?: string;
  readonly span_id?: string;
}

interface ContextDeps {
  readonly isTrustedProxy: IsTrusted;
  readonly docsUrl: string;
  readonly bodies: BodyMemory;
}

/** The context of a request: its client, its notes for the access log, and the functions to call at its end. */
export class RequestContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly client: Client;
  /** The address before `/docs` in a link to the documentation. */
  readonly docsUrl: string;
  readonly notes: RequestNotes = {};
  /** The account whose credential, link or public file the request uses. Undefined until it is known. */
  owner: string | undefined;
  readonly #releases: Array<() => void> = [];
  readonly #closing: Array<() => void> = [];
  #countedAddress: string | undefined;
  #gone: AbortController | undefined;
  readonly #bodies: BodyMemory;
  #hold: BodyHold | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, { isTrustedProxy, docsUrl, bodies }: ContextDeps) {
    this.req = req;
    this.docsUrl = docsUrl;
    this.res = res;
    this.#bodies = bodies;
    this.client = { address: clientAddress(req, isTrustedProxy), userAgent: req.headers['user-agent'] ?? null };
  }

  /** The client's address as limits count it: an IPv4 address or an IPv6 /64. */
  get countedAddress(): string {
    return (this.#countedAddress ??= addressBucket(this.client.address));
  }

  /**
   * Opens the account of what is buffered of the request's body, until the end of the request. Later calls change its
   * holder.
   */
  holdBody(holder: BodyHolder): BodyHold {
    if (this.#hold) {
      this.#hold.moveTo(holder);
      return this.#hold;
    }
    const hold = (this.#hold = this.#bodies.open(holder, this.countedAddress, () => this.req.socket.destroy()));
    this.atEnd(() => hold.release());
    return hold;
  }

  /** Adds to this request's line in the access log. */
  note(more: RequestNotes): void {
    Object.assign(this.notes, more);
  }

  /** Calls the function when the response is finished or its client has disconnected. */
  atClose(close: () => void): void {
    if (this.#closing.push(close) > 1) return;
    this.res.once('close', () => {
      for (const each of this.#closing) each();
    });
  }

  /** Calls the function at the end of the request, also after an error. */
  atEnd(release: () => void): void {
    this.#releases.push(release);
  }

  end(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  /** Aborts when the connection ends before the response is finished. */
  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = (this.#gone = new AbortController());
    const onClose = (): void => {
      if (!this.res.writableFinished) gone.abort(new Error('The client disconnected.'));
    };
    // The client may have disconnected while its body was read.
    if (this.req.socket.destroyed) onClose();
    else this.atClose(onClose);
    return gone.signal;
  }
}

/** Each response carries its context. A weak map of all responses would cost the garbage collector more. */
const ofResponse = Symbol('context');

type ResponseWithContext = ServerResponse & { [ofResponse]?: RequestContext };

/** Creates the context of a request, for {@link contextOf}. */
export function openContext(...[req, res, deps]: ConstructorParameters<typeof RequestContext>): RequestContext {
  const context = new RequestContext(req, res, deps);
  (res as ResponseWithContext)[ofResponse] = context;
  return context;
}

/** Returns the address before `/docs` in a link to the documentation: only its path for responses without a context. */
export function docsUrlOf(res: ServerResponse): string {
  return (res as ResponseWithContext)[ofResponse]?.docsUrl ?? '';
}

/** Returns the context of a response. */
export function contextOf(res: ServerResponse): RequestContext {
  const context = (res as ResponseWithContext)[ofResponse];
  if (!context) throw new Error('The response has no context. openContext() creates it for each request.');
  return context;
}
