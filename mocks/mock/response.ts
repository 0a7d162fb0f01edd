import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import type { Reply } from '#server/http/reply.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { refusalHeaders } from '#server/pipeline/error-response.ts';
import { exampleHeaders } from './example-headers.ts';
import type { ExampleRequest, Examples, MockAnswer } from './examples.ts';
import { fittingExample, linkExample, type Input } from './fitting-example.ts';
import { linkedFile } from './linked-file.ts';
import { mediaTypesOf } from './media-types.ts';
import { preferencesOf, UnmetPreference, type Preferences } from './preferences.ts';
import type { StoryAnswer } from './stories.ts';
import { storyOf, type StoryRuns } from './story-runs.ts';

export interface ResponseDeps {
  readonly examples: Examples;
  readonly runs: StoryRuns;
  /** Address of the mock, without a trailing slash. */
  readonly url: string;
}

/** A request that the server's checks have passed. */
interface ValidRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly input?: Input;
  readonly call: Call;
  /** The server's own response, which needed nothing stored. */
  readonly own: Reply | undefined;
}

/** Operations that stream if a field of the body says so. */
const streaming: ReadonlySet<OperationId> = new Set(['createChatCompletion', 'createResponse', 'createMessage']);

/** Returns the response that a request asks for: with a preference, with a story, or the one that fits it. */
export async function response(
  { examples, runs, url }: ResponseDeps,
  id: OperationId,
  request: ValidRequest,
): Promise<Reply> {
  const { req, res, input = {}, call, own } = request;
  try {
    const preferred = preferencesOf(req);
    const story = storyOf(req);
    const played = story && runs.play(story, id);
    // A preference of the request itself is more specific than its story.
    const wanted: StoryAnswer = { ...played?.answer, ...preferred };
    if (wanted.waitMs !== undefined) await sleep(wanted.waitMs);
    if (wanted.cutsOff) return cutOff(req);
    if (story) res.setHeader('X-Mock-Story', `${story.name}; scene=${played!.scene}`);
    const requested = requestedOf(id, req, input, wanted);
    if (isOpen(wanted)) {
      if (own) return own;
      const answer = await usual(examples, id, { requested, input, call });
      announceLimits(id, request, answer);
      return replyOf(id, answer, url);
    }
    const found = withOwnHeaders(examples, id, wanted, await examples.answer(id, requested));
    announceLimits(id, request, found);
    return replyOf(id, isNamed(preferred) ? found : { ...found, ...bodyOf(wanted, input) }, url);
  } catch (error) {
    if (error instanceof UnmetPreference) return problem(error);
    throw error;
  }
}

/**
 * Gives an error the headers of its code, as the server does. The examples of the contract have those of its status.
 */
function withOwnHeaders(
  examples: Examples,
  id: OperationId,
  wanted: Preferences,
  { headers, ...answer }: MockAnswer,
): MockAnswer {
  const { status } = answer;
  const code = wanted.example ?? examples.named(id).get(status)?.[0];
  if (status < 400 || code === undefined) return { ...answer, headers };
  const { 'retry-after': _seconds, 'x-should-retry': _should, ...others } = headers;
  return { ...answer, headers: { ...others, ...lowerCase(refusalHeaders(new Refusal(code as ErrorCode), '')) } };
}

/** The codes of limits that the `RateLimit` header announces. */
const announcedCodes = new Set<unknown>(['RATE_LIMITED', 'KEEP_CALM']);

/** Announces the limits as the server does for this response: that which the operation counts, and the exceeded one. */
function announceLimits(
  id: OperationId,
  { res, call }: ValidRequest,
  { status, headers = {} }: MockAnswer | Reply,
): void {
  const own = policies[id].rateLimits.find(({ on }) => on === 'operation');
  const seconds = 'retry-after' in headers ? headers['retry-after'] : undefined;
  const isOwn = own && (status === 200 || seconds !== undefined);
  if (isOwn) call.announceLimit({ remaining: 0, resetMs: Number(seconds ?? own.windowSeconds) * 1000 });
  const left = res.getHeader('RateLimit');
  const [, code] = /\/([A-Z_]+)>/.exec(headers.link ?? '') ?? [];
  if (seconds === undefined || typeof left !== 'string' || !announcedCodes.has(code)) return;
  res.setHeader('RateLimit', left.replace(/r=\d+;t=\d+/, `r=0;t=${seconds}`));
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function requestedOf(
  id: OperationId,
  { headers, url = '' }: IncomingMessage,
  input: { readonly body?: unknown },
  wanted: Preferences,
): ExampleRequest {
  const accept = streaming.has(id) ? completionType(input.body, wanted) : mediaTypesOf(headers.accept);
  return { pathname: url.split('?', 1)[0]!, accept, wanted };
}

/** A field of the body asks for a stream, whatever `Accept` says. So does the name of its example. */
function completionType(body: unknown, { example }: Preferences): string {
  const isRequested = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
  const isStream = example === undefined ? isRequested : example === 'stream';
  return isStream ? 'text/event-stream' : 'application/json';
}

function isNamed({ status, example, isDynamic }: Preferences): boolean {
  return status !== undefined || example !== undefined || isDynamic === true;
}

/** Whether neither the request nor its story says what the response is. */
function isOpen(wanted: StoryAnswer): boolean {
  return !isNamed(wanted) && wanted.body === undefined;
}

function bodyOf({ body }: StoryAnswer, input: Input): Partial<MockAnswer> {
  if (body === undefined) return {};
  return { body: JSON.stringify(typeof body === 'function' ? body((input.query ?? {}) as never) : body) };
}

interface Usual {
  readonly requested: ExampleRequest;
  readonly input: Input;
  readonly call: Call;
}

/** Returns the response to a request that asks for none in particular. */
async function usual(
  examples: Examples,
  id: OperationId,
  { requested, input, call }: Usual,
): Promise<MockAnswer | Reply> {
  const file = linkedFile(id, input, call);
  if (file) return file;
  const { query = {} } = input;
  const isLater = query.cursor !== undefined || query.continuationToken !== undefined;
  // The first page has a cursor, so a client that follows it would never end.
  const isLast = isLater && examples.named(id).get(200)?.includes('last') === true;
  const fit = isLast ? { example: 'last' } : fittingExample(id, input, call);
  const found = await examples.answer(id, { ...requested, wanted: fit });
  if (id !== 'getDownloadLink' || found.status !== 302) return found;
  const link = await examples.answer(id, { ...requested, wanted: { example: linkExample(query) } });
  return { ...found, headers: { ...found.headers, location: JSON.parse(link.body!).response.url } };
}

/** The examples' addresses that the mock itself serves. */
const exampleHosts = /https:\/\/(?:api|files|public)\.cubby\.invalid/g;

function replyOf(id: OperationId, { status, headers = {}, body }: MockAnswer | Reply, url: string): Reply {
  const own = (text: string) => text.replaceAll(exampleHosts, url);
  const sent = exampleHeaders(id, headers, body !== undefined && body !== '');
  return {
    status,
    headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, own(value)])),
    ...(body !== undefined && { body: typeof body === 'string' ? own(body) : body }),
  };
}

/** RFC 9457: the mock's own errors are none of the contract's, so they have another media type. */
function problem({ message }: UnmetPreference): Reply {
  return {
    status: 422,
    headers: { 'Content-Type': 'application/problem+json' },
    body: JSON.stringify({ title: 'The mock cannot send that response.', status: 422, detail: message }),
  };
}

function cutOff({ socket }: IncomingMessage): never {
  socket.destroy();
  throw new Error('The story cuts this connection.');
}
