import type { IncomingMessage, ServerResponse } from 'node:http';

import type { CallNotes } from '#server/handlers/call.ts';
import { addressBucket, clientAddress, type IsTrusted } from '#server/http/client-address.ts';

/** What a door learns of a request while it answers it, for the access log. */
export interface RequestNotes extends CallNotes {
  readonly operation?: string;
  /** The contract's path: the real one may carry a token or an id that opens something. */
  readonly template?: string;
  readonly account?: string;
  readonly key?: string;
  /** The id of the upload token that was sent, which is no secret. */
  readonly upload_token?: string;
  readonly code?: string;
  readonly bytes?: number;
  readonly outcome?: string;
}

/** A request on its way through a door: where it comes from, what is noted of it, what is freed once it is over. */
export class Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly origin: { readonly address: string; readonly userAgent: string | null };
  readonly notes: RequestNotes = {};
  readonly #leaving: Array<() => void> = [];
  #gone: AbortController | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, isTrustedProxy: IsTrusted) {
    this.req = req;
    this.res = res;
    this.origin = { address: clientAddress(req, isTrustedProxy), userAgent: req.headers['user-agent'] ?? null };
  }

  /** The client's address as it is counted: an IPv4 address or an IPv6 /64. */
  get countedAddress(): string {
    return addressBucket(this.origin.address);
  }

  /** Adds to the line that is logged for this request. */
  note(more: RequestNotes): void {
    Object.assign(this.notes, more);
  }

  /** Calls the function once the request is over, however it ends. */
  atEnd(leave: () => void): void {
    this.#leaving.push(leave);
  }

  end(): void {
    for (const leave of this.#leaving.splice(0)) leave();
  }

  /** Aborted when the connection ends before the answer is out. */
  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = (this.#gone = new AbortController());
    const onClose = (): void => {
      if (!this.res.writableFinished) gone.abort(new Error('The client has gone away.'));
    };
    // It may have gone while its body was read.
    if (this.req.socket.destroyed) onClose();
    else this.res.once('close', onClose);
    return gone.signal;
  }
}

const visits = new WeakMap<ServerResponse, Visit>();

/** Opens the visit of a request, which {@link visitOf} then finds. */
export function openVisit(...[req, res, isTrustedProxy]: ConstructorParameters<typeof Visit>): Visit {
  const visit = new Visit(req, res, isTrustedProxy);
  visits.set(res, visit);
  return visit;
}

/** The visit that a response belongs to. */
export function visitOf(res: ServerResponse): Visit {
  const visit = visits.get(res);
  if (!visit) throw new Error('The request came through no door.');
  return visit;
}
