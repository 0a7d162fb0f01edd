import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { OperationId } from '#generated/policies.ts';
import type { Handle, Operation, Reply } from '#generated/router.ts';
import { deliveryRouter } from '#generated/router.ts';
import type { Json } from '#openapi/codegen/document.ts';
import { apiDoor } from '#server/doors/api/api-door.ts';
import { operationHandle } from '#server/doors/contract/operation.ts';
import { RequestValidator } from '#server/doors/contract/request-validator.ts';
import { routedDoor } from '#server/doors/contract/routed-door.ts';
import { publicDoor } from '#server/doors/public/public-door.ts';
import type { DiskRoom } from '#server/domain/ports/disk-room.ts';
import type { Call } from '#server/handlers/call.ts';
import { filesCors } from '#server/http/cors.ts';
import { openLog } from '#server/log.ts';
import { createMetrics } from '#server/metrics.ts';
import { pipeline } from '#server/pipeline/pipeline.ts';
import { RequestLimits } from '#server/pipeline/request-limits.ts';
import { systemClock } from '#server/stores/system/clock.ts';
import type { Asked, Examples, MockAnswer } from './examples.ts';
import { mediaTypesOf } from './media-types.ts';
import { preferencesOf, UnmetPreference, type Preferences } from './preferences.ts';
import { openSample, sampleFile } from './sample-file.ts';
import { checkStateless, mockCaller, mockUpload, statelessHandlers } from './stateless.ts';
import type { StoryAnswer } from './stories.ts';
import { storyOf, type StoryRuns } from './story-runs.ts';

/** A request, where the handler of its operation finds it. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

interface Deps {
  readonly document: Json;
  readonly examples: Examples;
  readonly runs: StoryRuns;
  /** Address of the mock, without a trailing slash. */
  readonly url: string;
}

/** The mock stores nothing, so its disk is never full. */
const endlessRoom: DiskRoom = {
  require: async () => () => {},
  state: () => ({ isFull: false, freeBytes: Infinity, floorBytes: 0, reserveBytes: 0 }),
};

/** The doors that share the mock's port. */
export type MockDoors = Readonly<Record<'api' | 'files' | 'public', RequestListener>>;

/**
 * Returns the server's own doors of the API, of links and of public files. Everything up to the first look-up is the server's code: CORS,
 * routes, credentials, bodies, the checks of fields. After it, an example is the response.
 */
export function mockDoors({ document, url, ...deps }: Deps): MockDoors {
  const log = openLog('silent');
  const metrics = createMetrics();
  const exchanges = new AsyncLocalStorage<Exchange>();
  const through = pipeline({ limits: noLimits(), room: endlessRoom, noteUse: () => {}, log, metrics });
  const real = operationHandle({
    answer: through,
    authenticate: async (headers, policy) => mockCaller(headers, policy),
    ownerOf: async () => undefined,
    lookUpUpload: mockUpload,
    validator: new RequestValidator(async () => document),
  });
  const handleOf: Handle<Call> = (id, operation) => {
    const handler = real(
      id,
      mocked(id, operation, () => answer(deps, id, exchanges.getStore()!, url)),
    );
    if (typeof handler !== 'function') throw new Error(`The operation ${id} has several handlers.`);
    return (req, res, next) => exchanges.run({ req, res }, () => handler(req, res, next));
  };
  const handlers = statelessHandlers(url);
  const common = { log, metrics, isTrustedProxy: () => false, docsUrl: '' };
  const addresses = { base: url, api: url, files: url, public: url, s3: url };
  const contractFolder = join(import.meta.dirname, '../../generated');
  // Scripts must be able to choose a response of a link, too.
  const cors = filesCors({
    exposedHeaders: filesExposed,
    maxAgeSeconds: 7200,
    alsoAllowed: ['Prefer', 'X-Mock-Story'],
  });
  return {
    api: apiDoor({ ...common, handlers, handleOf, docsFolder: undefined, addresses, contractFolder }),
    files: routedDoor('files', common, cors, (app) => app.use(deliveryRouter(handlers.delivery, handleOf))),
    public: publicDoor({
      ...common,
      noteError: () => {},
      answer: through,
      publicHost: url,
      clock: systemClock,
      find: async (address) => sampleFile(address),
      open: openSample,
    }),
  };
}

/** No limit is on, so nothing is counted. */
function noLimits(): RequestLimits {
  const unused = {} as never;
  return new RequestLimits({ rates: unused, slots: unused, clock: unused }, false);
}

/** Returns an operation that checks what the real one checks, and then sends an example. */
function mocked(
  id: OperationId,
  operation: Operation<never, Call, Reply>,
  respond: () => Promise<Reply>,
): Operation<never, Call, Reply> {
  return {
    parse: (input: never, call: Call) => (typeof operation === 'function' ? input : operation.parse(input, call)),
    async run(command: never, call: Call) {
      await checkStateless(id, operation, command, call);
      return respond();
    },
  };
}

/** Headers that the door sets itself, and that describe another response. */
const notSent = new Set(['x-request-id', 'content-length', 'access-control-allow-origin']);

async function answer(
  { examples, runs }: Pick<Deps, 'examples' | 'runs'>,
  id: OperationId,
  { req, res }: Exchange,
  url: string,
): Promise<Reply> {
  try {
    const preferred = preferencesOf(req);
    const story = storyOf(req);
    const played = story && runs.play(story, id);
    // A preference of the request itself is more specific than its story.
    const wanted: StoryAnswer = { ...played?.answer, ...preferred };
    if (wanted.waitMs !== undefined) await sleep(wanted.waitMs);
    if (wanted.cutsOff) return cutOff(req);
    if (story) res.setHeader('X-Mock-Story', `${story.name}; scene=${played!.scene}`);
    const asked = askedOf(req, wanted);
    const found = await examples.answer(id, isLaterPage(req, wanted) ? lastPage(examples, id, asked) : asked);
    return replyOf(isNamed(preferred) ? found : { ...found, ...bodyOf(wanted) }, url);
  } catch (error) {
    if (error instanceof UnmetPreference) return problem(error);
    throw error;
  }
}

function askedOf({ headers, url = '' }: IncomingMessage, wanted: Preferences): Asked {
  return { pathname: url.split('?', 1)[0]!, accept: mediaTypesOf(headers.accept), wanted };
}

function isNamed({ status, example, isDynamic }: Preferences): boolean {
  return status !== undefined || example !== undefined || isDynamic === true;
}

function bodyOf({ body }: StoryAnswer): Partial<MockAnswer> {
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** Whether a request continues a list. The first page has a cursor, so a client that follows it would never end. */
function isLaterPage({ url = '' }: IncomingMessage, wanted: StoryAnswer): boolean {
  return !isNamed(wanted) && wanted.body === undefined && /[?&](cursor|continuationToken)=/.test(url);
}

function lastPage(examples: Examples, id: OperationId, asked: Asked): Asked {
  const hasLast = examples.named(id).get(200)?.includes('last') === true;
  return hasLast ? { ...asked, wanted: { example: 'last' } } : asked;
}

/** The examples' addresses that the mock itself serves. */
const exampleHosts = /https:\/\/(?:api|files|public)\.cubby\.invalid/g;

function replyOf({ status, headers, body }: MockAnswer, url: string): Reply {
  const own = (text: string) => text.replaceAll(exampleHosts, url);
  const sent = Object.entries(headers).filter(([name]) => !notSent.has(name));
  return {
    status,
    headers: Object.fromEntries(sent.map(([name, value]) => [name, own(value)])),
    ...(body !== undefined && { body: own(body) }),
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

const filesExposed = ['X-Request-Id', 'ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition', 'Retry-After'];
