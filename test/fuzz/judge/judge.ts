import { errors } from '#generated/errors.ts';
import { checkAnswer } from '#test/support/contract.ts';
import type { FuzzRequest } from '../draft.ts';
import type { Heard } from '../send/connection.ts';
import type { RawAnswer } from '../send/response-reader.ts';
import { s3Problems } from './judge-s3.ts';

/** Stack traces and paths of the server. No request of the generator contains them. */
const insides =
  /\n\s+at .+:\d+:\d+|node:internal|node_modules|\/server\/[a-z-]+\/|file:\/\/\/|SQLITE_|cubby-(test|spawned)-/;

/** Codes of responses to bytes that never became a request. */
const protocolCodes = /MALFORMED_REQUEST|HEADERS_TOO_LARGE|REQUEST_TIMEOUT/;

/** 5xx that a situation of the run justifies, by operation: the model's server of this run fails now and then. */
const planned: Readonly<Record<string, ReadonlySet<number>>> = {
  createChatCompletion: new Set([503]),
  createEmbeddings: new Set([503]),
  createResponse: new Set([503]),
  createMessage: new Set([503]),
};

/** How long a head may take, less the time between two looks at it. @see server/start.ts */
const headMs = 25_000;

/** Returns all that is wrong with a response. */
export function problemsOf(request: FuzzRequest, { answer, flaw, tookMs }: Heard): string[] {
  const { fault } = request;
  if (flaw !== undefined && !(fault && (flaw === 'reset' || flaw === 'cut off')))
    return [flaw === 'reset' ? 'The connection broke without a response.' : `Not HTTP: ${flaw}.`];
  // Half a head need not get a response.
  if (!answer) return [];
  // A server that was not running for so long looks at the time before it looks at what has arrived.
  if (answer.status === 408 && tookMs > headMs) return [];
  // The configuration names the data folder, for operators.
  const shown = request.operation === 'getConfiguration' ? [] : leaks(answer);
  return [...unplanned(request, answer), ...shown, ...(fault ? loosely(request, answer) : strictly(request, answer))];
}

function unplanned({ operation, door, method }: FuzzRequest, { status, body }: RawAnswer): string[] {
  if (status < 500 || planned[operation]?.has(status)) return [];
  // S3 has operations that the gateway does not have.
  const isNamed = method === 'HEAD' || body.includes('<Code>NotImplemented</Code>');
  if (status === 501 && door === 's3' && isNamed) return [];
  return [`An unplanned ${status}.`];
}

function leaks({ status, headers, body }: RawAnswer): string[] {
  const isOwn = status >= 400 || /json|xml/.test(headers['content-type'] ?? '');
  const found = isOwn && insides.exec(body.toString('latin1'));
  return found ? [`The body shows the server's insides: ${JSON.stringify(found[0].slice(0, 200))}.`] : [];
}

function strictly(request: FuzzRequest, answer: RawAnswer): string[] {
  const { target, door } = request;
  const method = methodOf(request);
  const path = target.split(/[?#]/, 1)[0]!;
  if (door === 's3') return s3Problems(request, answer);
  if (!isReadable(request) && isFromBelow(answer, method)) return [];
  if (isFromBelow(answer, 'GET'))
    return [`Its bytes are a request, but it was answered ${answer.body.toString().slice(0, 200)}`];
  const problemsAt = (at: string) =>
    checkAnswer({ method, path: at, door, status: answer.status, headers: withCookies(answer), body: answer.body });
  const problems = problemsAt(path);
  if (problems.length === 0 || !target.includes('#')) return problems;
  // RFC 9112, section 3.2: no form of a target has a fragment. So such a path may be in no operation.
  return problemsAt(`${path}/%23/%23`).length === 0 ? [] : problems;
}

/** Whether Node's parser takes the head of a request: its texts have no odd bytes, and it is not too large. */
function isReadable({ target, headers }: FuzzRequest): boolean {
  const size = target.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return (
    size < 15_000 &&
    /^[\x21-\x7e]*$/.test(target) &&
    headers.every(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  );
}

/** A client of tus may name another method in a header of a POST. The contract describes the method that is named. */
function methodOf({ method, target, headers }: FuzzRequest): string {
  if (method !== 'POST' || !/^\/v1\/uploads(?:[/?#]|$)/.test(target)) return method;
  const valuesOf = (name: string) => headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value);
  const named = valuesOf('x-http-method-override').join(', ');
  return valuesOf('tus-resumable').length > 0 && /^(?:PATCH|DELETE|HEAD)$/.test(named) ? named : method;
}

/** The contract declares a cookie as a header. */
const withCookies = ({ headers, cookies }: RawAnswer): Record<string, string> =>
  cookies[0] === undefined ? headers : { ...headers, 'set-cookie': cookies[0] };

/** Whether the response is one to bytes that never became a request. To HEAD it has no body. */
function isFromBelow({ status, body }: RawAnswer, method: string): boolean {
  return [400, 408, 431].includes(status) && (method === 'HEAD' || protocolCodes.test(body.toString('latin1', 0, 300)));
}

const codes: ReadonlySet<string> = new Set(Object.values(errors).flatMap((table) => Object.keys(table)));

/** After a fault nobody knows which request the server has read. Its response must still be one of ours. */
function loosely({ door, method }: FuzzRequest, answer: RawAnswer): string[] {
  const { status, headers, body } = answer;
  if (status < 400 || method === 'HEAD' || body.length === 0) return [];
  const type = headers['content-type'] ?? '';
  const text = body.toString();
  if (door === 's3')
    return /<Code>[A-Za-z0-9]+<\/Code>/.test(text) ? [] : [`Not an error of S3: ${text.slice(0, 200)}`];
  if (!type.startsWith('application/json')) return type.startsWith('text/') ? [] : [`The type of an error is ${type}.`];
  return codeProblems(text);
}

function codeProblems(text: string): string[] {
  try {
    const { code, error } = JSON.parse(text);
    const found = code ?? (typeof error === 'string' ? error : error?.code);
    return codes.has(found) ? [] : [`The code ${JSON.stringify(found)} is in no table.`];
  } catch {
    return [`Not JSON: ${text.slice(0, 200)}`];
  }
}
