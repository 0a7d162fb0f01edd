import { fieldsOf, jsonValue } from '../json-value.ts';

/**
 * Why an attempt brought no answer. The conversation causes `context-too-long`, `refused` and `tools-not-supported`.
 * The operator must mend `misconfigured`. `busy` and `unreachable` may pass in a moment. The server or its model causes
 * `broken`, `unreadable` and
 * `too-large`. `empty` is an answer with neither text nor a call. `too-slow` used up its time. After `given-up` no client waits any more.
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

/** Why an attempt brought no answer, in words of ours alone. */
export interface Failure {
  readonly kind: FailureKind;
  readonly status?: number;
  /** A code of the system or of the HTTP client, such as `ECONNREFUSED`. */
  readonly code?: string;
  /** What the server asked for. */
  readonly retryAfterMs?: number;
}

/**
 * What a server means that did not answer 200.
 *
 * @param nowAt milliseconds since the epoch
 */
export function failureOfStatus(
  status: number,
  bodyText: string,
  retryAfter: string | undefined,
  nowAt: number,
): Failure {
  const kind = kindOf(status, saidIn(bodyText));
  const retryAfterMs = kind === 'busy' ? retryAfterMsOf(retryAfter, nowAt) : undefined;
  return { kind, status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** The parts of an error that say what it is about. They may quote the conversation: none of them is passed on. */
interface Said {
  readonly codes: readonly unknown[];
  readonly message: string;
}

/** OpenAI, llama.cpp and vLLM wrap an error object; older vLLM does not; Ollama's own errors are plain text. */
function saidIn(bodyText: string): Said {
  const body = fieldsOf(jsonValue(bodyText));
  const error =
    typeof body.error === 'string' ? { message: body.error } : body.error === undefined ? body : fieldsOf(body.error);
  const { code, type, message } = error as Readonly<Record<string, unknown>>;
  return { codes: [code, type], message: typeof message === 'string' ? message : '' };
}

function kindOf(status: number, { codes, message }: Said): FailureKind {
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
 * That there are none at all: not of a schema, or a way to choose, that is not taken. Ollama, vLLM, llama.cpp and
 * routers, in this order.
 */
function isAboutTools(message: string): boolean {
  return [
    /not support(ed)? (the use of )?(tools|tool use|tool calls|tool calling|functions|function calling)\b/i,
    /tool choice requires --/i,
    /tools param requires --/i,
    /\bsupport tool use\b/i,
  ].some((words) => words.test(message));
}

/** Seconds, or an HTTP date. */
function retryAfterMsOf(value: string | undefined, nowAt: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^[0-9]{1,9}(\.[0-9]+)?$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowAt);
}
