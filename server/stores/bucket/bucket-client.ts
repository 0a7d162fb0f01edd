import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Trial } from '#server/circuit-breaker.ts';
import { BlobStoreFull, BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { encodePath, encodeQuery, presignQuery, signHeaders, unsignedPayload } from '#server/signature-v4/sign.ts';
import { BucketHealth } from './bucket-health.ts';
import { BucketRefused } from './errors.ts';
import type { BucketAddress, BucketOptions } from './options.ts';
import { RetryBudget } from './retry-budget.ts';
import { Transport, type RequestBody, type WireRequest, type WireResponse } from './transport.ts';
import { textOf } from './xml-text.ts';

/** One operation of a bucket. */
export interface BucketCall {
  /** For messages: `put a blob`. */
  readonly doing: string;
  readonly method: WireRequest['method'];
  /** Undefined for an operation of the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** Left out for a body of one piece. */
  readonly bodyBytes?: number;
  /** The SHA-256 of the body, if it is known. */
  readonly sha256?: string | undefined;
  /**
   * Whether a second request does the same as one. Then it is retried. `if refused`: only after a response that says
   * that nothing was done.
   */
  readonly isRepeatable: boolean | 'if refused';
  readonly signal?: AbortSignal | undefined;
  readonly streams?: boolean;
}

/** A response below 500 that says something about the object. */
export interface BucketAnswer extends WireResponse {
  /** The code of an error in XML; empty without one. */
  readonly code: string;
  /** Whether an earlier try may have been carried out. */
  readonly isRepeated: boolean;
}

/** What came of one try. */
interface Outcome {
  readonly answer?: BucketAnswer;
  readonly failure?: BlobStoreUnavailable;
  /** Whether there was no response, so the bucket may have done its work. */
  readonly isLost?: boolean;
}

/** Tries of one call. */
const mostTries = 3;

/** The pause before a retry is random, up to the first value, which doubles up to the second. */
const backoffMs = { first: 100, most: 2_000 };

/**
 * A call that failed after a longer time is not retried, because its client waits. That is how a bucket fails that
 * hangs.
 */
const longestRetriedMs = 5_000;

/** A `Date` header has whole seconds, and is a moment old. */
const tolerableMs = 5_000;

/** Statuses that say nothing about the request, so a retry may succeed. */
const temporaryStatuses = new Set([408, 409, 429, 500, 502, 503, 504]);
const temporaryCodes = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'OperationAborted',
]);

const fullCodes = new Set(['QuotaExceeded', 'EntityTooLargeForQuota', 'XMinioStorageFull', 'InsufficientStorage']);

const emptyHash = hash('sha256', '', 'hex');

/** Calls a bucket: signs, retries within a budget, and refuses at once while the bucket is down. */
export class BucketClient {
  readonly #address: BucketAddress;
  readonly #transport: Transport;
  readonly #retries = new RetryBudget();
  readonly #health: BucketHealth;
  /** The bucket's clock minus this machine's, if they are far apart. */
  #clockOffsetMs = 0;

  constructor(address: BucketAddress, { timeouts, probePauseMs, onDown }: Omit<BucketOptions, 'deleteAgainMs'>) {
    this.#address = address;
    this.#transport = new Transport(address.origin, timeouts);
    this.#health = new BucketHealth({ probe: () => this.#probe(), onChange: onDown, pauseMs: probePauseMs });
  }

  /** Whether calls are refused at once. */
  get isDown(): boolean {
    return this.#health.isDown;
  }

  /**
   * Makes a call, and retries it if that is safe. Returns any response that is about the object. The caller checks its
   * status.
   *
   * @throws {BlobStoreFull}
   * @throws {BlobStoreUnavailable} when the bucket cannot be reached, or works badly
   * @throws {BucketRefused} when it refuses the key pair
   * @throws the signal's reason
   */
  async send(call: BucketCall): Promise<BucketAnswer> {
    const endsAt = performance.now() + longestRetriedMs;
    this.#retries.earn();
    let isRepeated = false;
    for (let tries = 1; ; tries++) {
      const { answer, failure, isLost = false } = await this.#try(call, isRepeated);
      if (answer) return answer;
      const maySend = call.isRepeatable === true || (call.isRepeatable === 'if refused' && !isLost);
      const canRepeat = maySend && tries < mostTries && performance.now() < endsAt && !this.isDown;
      if (!canRepeat || !this.#retries.spend()) throw failure;
      isRepeated = true;
      const pauseMs = Math.random() * Math.min(backoffMs.most, backoffMs.first * 2 ** (tries - 1));
      await sleep(pauseMs, undefined, call.signal && { signal: call.signal }).catch(() => {
        throw call.signal!.reason;
      });
    }
  }

  /** Returns an address at which anybody can read an object for a while. */
  presign(key: string, query: Readonly<Record<string, string>>, lifetimeSeconds: number): string {
    const { keys, origin, host } = this.#address;
    const path = this.#path(key);
    const unsigned = { method: 'GET', path, query, headers: { host } };
    return `${origin}${path}?${presignQuery(keys, unsigned, lifetimeSeconds, this.#nowMs())}`;
  }

  async close(): Promise<void> {
    this.#health.close();
    await this.#transport.close();
  }

  /** Returns a failure that a retry may avoid. Throws any other. */
  async #try(call: BucketCall, isRepeated: boolean): Promise<Outcome> {
    const trial = this.#health.admit(call);
    let response: WireResponse;
    try {
      response = await this.#sendInTime(call);
    } catch (error) {
      if (call.signal?.aborted || isOwnFault(error)) {
        trial.learnedNothing();
        throw call.signal?.aborted ? call.signal.reason : error;
      }
      this.#health.failed(trial);
      return { failure: unavailable(call, describe(error), error), isLost: true };
    }
    const code = textOf(response.text, 'Code') ?? '';
    const isTemporary = temporaryStatuses.has(response.status) || temporaryCodes.has(code);
    this.#report(trial, isTemporary && response.status !== 409);
    if (fullCodes.has(code) || response.status === 507) throw new BlobStoreFull(new Error(code));
    if (isTemporary) return { failure: unavailable(call, `${response.status} ${code}`, undefined) };
    requireAllowed(call, response.status, code);
    return { answer: { ...response, code, isRepeated } };
  }

  #report(trial: Trial, isFailure: boolean): void {
    if (isFailure) this.#health.failed(trial);
    else trial.succeeded();
  }

  /** Sends a call, and a second time if the clocks differ too much for the first signature. */
  async #sendInTime(call: BucketCall): Promise<WireResponse> {
    const response = await this.#sendOnce(call);
    this.#learnTime(response.headers.date);
    if (response.status !== 403 || textOf(response.text, 'Code') !== 'RequestTimeTooSkewed') return response;
    if (isOneTimeBody(call.body)) return response;
    this.#learnTime(textOf(response.text, 'ServerTime'));
    return this.#sendOnce(call);
  }

  /** An address that is valid for a minute needs a better clock than a signature. */
  #learnTime(bucketTime: string | undefined): void {
    const offsetMs = Date.parse(bucketTime ?? '') - Date.now();
    if (Math.abs(offsetMs - this.#clockOffsetMs) > tolerableMs) this.#clockOffsetMs = offsetMs;
  }

  #sendOnce(call: BucketCall): Promise<WireResponse> {
    const { method, key, query = {}, body, bodyBytes, sha256, signal, streams = false } = call;
    const { keys, host } = this.#address;
    const path = this.#path(key);
    const unsigned = { method, path, query, headers: { host, ...call.headers } };
    const payloadHash = body === undefined ? emptyHash : (sha256 ?? unsignedPayload);
    const search = encodeQuery(query);
    const sizeBytes = bodyBytes ?? (body instanceof Uint8Array ? body.byteLength : 0);
    const hasBody = method === 'PUT' || method === 'POST';
    const headers = {
      ...signHeaders(keys, unsigned, payloadHash, this.#nowMs()),
      ...(hasBody && { 'content-length': String(sizeBytes) }),
    };
    return this.#transport.send(
      { method, target: search === '' ? path : `${path}?${search}`, headers, body, streams },
      signal,
    );
  }

  #nowMs(): number {
    return Date.now() + this.#clockOffsetMs;
  }

  #path(key: string | undefined): string {
    const { basePath } = this.#address;
    return key === undefined ? basePath || '/' : encodePath(`${basePath}/${key}`);
  }

  /** Any response below 500 shows that the bucket works. */
  async #probe(): Promise<void> {
    const query = { 'list-type': '2', 'max-keys': '1', prefix: this.#address.prefix };
    const call: BucketCall = { doing: 'be reached', method: 'GET', query, isRepeatable: false };
    const { status } = await this.#sendOnce(call);
    if (temporaryStatuses.has(status)) throw new Error(String(status));
  }
}

function unavailable({ doing }: BucketCall, why: string, cause: unknown): BlobStoreUnavailable {
  return new BlobStoreUnavailable(`The bucket could not ${doing}: ${why.trim()}.`, cause);
}

/** @throws {BucketRefused} */
function requireAllowed(call: BucketCall, status: number, code: string): void {
  const isRefused = status === 301 || status === 307 || status === 400 || status === 401 || status === 403;
  if (isRefused || code === 'NoSuchBucket')
    throw new BucketRefused(`The bucket could not ${call.doing}: it answered ${`${status} ${code}`.trim()}.`);
}

function isOneTimeBody(body: RequestBody | undefined): boolean {
  return body !== undefined && !(body instanceof Uint8Array) && Symbol.asyncIterator in body;
}

/** Errors of this program, which a retry would repeat. */
function isOwnFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** Returns the reason of a failed connection, as a short text. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return describe(error.errors[0]);
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
}
