import { fieldsOf, jsonValue } from '#server/backends/json-value.ts';
import { rejectedField, type RejectedField } from './rejected-field.ts';

/**
 * The kind of reason why an attempt failed. The conversation causes `context-too-long`, `refused` and
 * `tools-not-supported`. The operator must fix `misconfigured`. `busy` and `unreachable` may pass in a moment. The
 * server or its model causes `broken`, `unreadable` and `too-large`. `empty` is an answer with neither text nor a call.
 * `too-slow` exceeded its time limit. After `given-up` no client is waiting.
 */
export type FailureKind =
  | 'context-too-long'
  | 'refused'
  | 'tools-not-supported'
  | 'misconfigured'
  | 'busy'
  | 'unreachable'
  | 'broken'
  | 'unreadable'
  | 'empty'
  | 'too-large'
  | 'too-slow'
  | 'given-up';

/** The reason why an attempt failed, without any text of the server. */
export interface Failure {
  readonly kind: FailureKind;
  readonly status?: number;
  /** A code of the system or of the HTTP client, such as `ECONNREFUSED`. */
  readonly code?: string;
  /** The pause that the server requested. */
  readonly retryAfterMs?: number;
  /** The field that the server does not take. Only of `refused`. */
  readonly rejected?: RejectedField;
}

/** Thrown while a stream is read. The message has no text of the server. */
export class UpstreamFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`The upstream failed: ${failure.kind}.`);
    this.name = 'UpstreamFailure';
    this.failure = failure;
  }
}

/**
 * Classifies a response whose status is not 200.
 *
 * @param nowAt milliseconds since the epoch
 */
export function failureOfStatus(
  status: number,
  bodyText: string,
  retryAfter: string | undefined,
  nowAt: number,
): Failure {
  const body = jsonValue(bodyText);
  const parts = errorPartsOf(body);
  const kind = kindOf(status, parts);
  const retryAfterMs = kind === 'busy' ? retryAfterMsOf(retryAfter, nowAt) : undefined;
  const rejected = kind === 'refused' ? rejectedField(body, parts.message) : undefined;
  return { kind, status, ...(retryAfterMs !== undefined && { retryAfterMs }), ...(rejected && { rejected }) };
}

/** The parts of an error that classify it. They are not passed on, because they may quote the conversation. */
interface ErrorParts {
  readonly codes: readonly unknown[];
  readonly message: string;
}

/** OpenAI, llama.cpp and vLLM wrap an error object. Older vLLM does not. Ollama's own errors are plain text. */
function errorPartsOf(received: unknown): ErrorParts {
  const body = fieldsOf(received);
  const error =
    typeof body.error === 'string' ? { message: body.error } : body.error === undefined ? body : fieldsOf(body.error);
  const { code, type, message } = error as Readonly<Record<string, unknown>>;
  return { codes: [code, type], message: typeof message === 'string' ? message : '' };
}

function kindOf(status: number, { codes, message }: ErrorParts): FailureKind {
  if (codes.includes('insufficient_quota')) return 'misconfigured';
  if ([400, 413, 422, 500].includes(status) && isAboutContext(codes, message)) return 'context-too-long';
  if (status === 413) return 'context-too-long';
  if ([400, 404, 422, 500, 501].includes(status) && isAboutTools(message)) return 'tools-not-supported';
  if (status === 400 || status === 422) return 'refused';
  if ([408, 425, 429, 502, 503, 504].includes(status)) return 'busy';
  return status >= 500 ? 'broken' : 'misconfigured';
}

function isAboutContext(codes: readonly unknown[], message: string): boolean {
  if (codes.includes('context_length_exceeded') || codes.includes('exceed_context_size_error')) return true;
  return /context (length|size|window)/i.test(message) && /exceed|maximum|only|too long/i.test(message);
}

/**
 * Whether the model supports no tools at all. A rejected schema or tool choice does not count. The patterns are those
 * of Ollama, vLLM, llama.cpp and routers, in this order.
 */
function isAboutTools(message: string): boolean {
  return [
    /not support(ed)? (the use of )?(tools|tool use|tool calls|tool calling|functions|function calling)\b/i,
    /tool choice requires --/i,
    /tools param requires --/i,
    /\bsupport tool use\b/i,
  ].some((pattern) => pattern.test(message));
}

/** Parses a `Retry-After` header: seconds, or an HTTP date. */
function retryAfterMsOf(value: string | undefined, nowAt: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^[0-9]{1,9}(\.[0-9]+)?$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowAt);
}
