import type { OperationId } from '#generated/policies.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import type { IncomingBytes } from '#server/domain/incoming-bytes.ts';
import type { IncomingFile } from '#server/domain/incoming-file.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import type { Call, Client, IncomingRaw, UploadHeaders } from '#server/handlers/call.ts';
import type { RequestReferences } from '#server/handlers/request-references.ts';
import { asksForEventStream, asksForHtml } from '#server/http/accept.ts';
import { parseCookies } from '#server/http/cookies.ts';
import { requestId } from '#server/http/request-id.ts';
import { sendResumption } from '#server/http/upload-protocols.ts';
import type { RequestContext } from '#server/pipeline/request-context.ts';
import { readDraftHeaders, readUploadHeaders } from './upload-headers.ts';
import { readWriteConditions } from './write-conditions.ts';

/** The parts that a request has. An operation that reads a part it does not declare has a bug. */
export interface CallParts extends Pick<Call, 'keep' | 'countMiss' | 'announceLimit' | 'announceBudgets'> {
  readonly caller: Caller | undefined;
  readonly operator: OperatorCaller | undefined;
  readonly references: RequestReferences | undefined;
  readonly file: IncomingFile | undefined;
  readonly bytes: IncomingBytes | undefined;
  readonly form: Call['parts'] | undefined;
  readonly raw: IncomingRaw | undefined;
}

/**
 * A request as its handler sees it.
 *
 * It is a class, because V8 gives each object literal with getters a hidden class of its own, which keeps the request
 * in memory until the next full garbage collection.
 */
export class OperationCall implements Call {
  readonly client: Client;
  readonly asks: Call['asks'];
  readonly keep: Call['keep'];
  readonly countMiss: Call['countMiss'];
  readonly announceLimit: Call['announceLimit'];
  readonly announceBudgets: Call['announceBudgets'];
  readonly note: Call['note'];
  readonly #operationId: OperationId;
  readonly #context: RequestContext;
  readonly #parts: CallParts;

  constructor(operationId: OperationId, context: RequestContext, parts: CallParts) {
    const { req, client } = context;
    this.#operationId = operationId;
    this.#context = context;
    this.#parts = parts;
    this.client = client;
    this.asks = { isHead: req.method === 'HEAD', range: req.headers.range, accept: req.headers.accept };
    this.keep = parts.keep;
    this.countMiss = parts.countMiss;
    this.announceLimit = parts.announceLimit;
    this.announceBudgets = parts.announceBudgets;
    this.note = (more) => context.note(more);
  }

  get caller(): Caller {
    return this.#declared(this.#parts.caller, 'caller');
  }

  get operator(): OperatorCaller {
    return this.#declared(this.#parts.operator, 'operator');
  }

  get references(): RequestReferences {
    return this.#declared(this.#parts.references, 'caller');
  }

  get file(): IncomingFile {
    return this.#declared(this.#parts.file, 'file');
  }

  get bytes(): IncomingBytes {
    return this.#declared(this.#parts.bytes, 'bytes');
  }

  get parts(): Call['parts'] {
    return this.#declared(this.#parts.form, 'form');
  }

  readConditions(): WriteConditions {
    return readWriteConditions(this.#context.req.headers);
  }

  readUploadHeaders(): UploadHeaders {
    return readUploadHeaders(this.#context.req);
  }

  readDraftHeaders(): UploadHeaders {
    return readDraftHeaders(this.#context.req);
  }

  sendResumption(headers: Readonly<Record<string, string>>): void {
    sendResumption(this.#context.req, this.#context.res, headers);
  }

  get raw(): IncomingRaw {
    return this.#declared(this.#parts.raw, 'raw body');
  }

  get requestId(): string {
    return requestId(this.#context.res);
  }

  get cacheControl(): string | undefined {
    return this.#context.req.headers['cache-control'];
  }

  get speaksMessages(): boolean {
    return this.#context.req.headers['anthropic-version'] !== undefined;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get browser(): Call['browser'] {
    const { headers } = this.#context.req;
    return {
      cookies: parseCookies(headers.cookie),
      origin: headers.origin,
      fetchSite: headers['sec-fetch-site'] as string | undefined,
      asksForHtml: asksForHtml(headers.accept),
      acceptLanguage: headers['accept-language'],
    };
  }

  get eventStream(): Call['eventStream'] {
    const { headers } = this.#context.req;
    const lastEventId = headers['last-event-id'] as string | undefined;
    return { isRequested: asksForEventStream(headers.accept), lastEventId };
  }

  #declared<Part>(part: Part | undefined, what: string): Part {
    if (part === undefined) throw new Error(`${this.#operationId} has no ${what}.`);
    return part;
  }
}
