import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';

import { policies, type OperationId } from '#generated/policies.ts';
import { routers, type Handle } from '#generated/router.ts';
import type { Operation } from '#server/http/operation.ts';
import type { Reply } from '#server/http/reply.ts';
import type { Json } from '#openapi/codegen/document.ts';
import { apiPartsOf, serveFeatures } from '#server/compose/serve-features.ts';
import type { Served } from '#server/compose/served.ts';
import { apiDoor } from '#server/doors/api/api-door.ts';
import { operatorDoor } from '#server/doors/operator/operator-door.ts';
import { operationHandle } from '#server/doors/contract/operation.ts';
import { RequestValidator } from '#server/doors/contract/request-validator.ts';
import { routedDoor } from '#server/doors/contract/routed-door.ts';
import { filesExposedHeaders } from '#server/doors/files/files-door.ts';
import { publicDoor } from '#server/features/files/door/public-door.ts';
import { errorForms } from '#server/feature-parts.ts';
import type { Call } from '#server/handlers/call.ts';
import { filesCors } from '#server/http/cors.ts';
import type { Answer } from '#server/pipeline/pipeline.ts';
import { systemClock } from '#server/stores/system/clock.ts';
import type { Input } from './fitting-example.ts';
import { mockGiven } from './given.ts';
import { response, type ResponseDeps } from './response.ts';
import { openSample, sampleFile } from './sample-file.ts';
import { mockConfig } from './settings.ts';
import { mockAccountId, mockCaller, mockUpload, statelessHandlers } from './stateless.ts';
import { checkStateless } from './stateless-checks.ts';

/** A request, where the handler of its operation finds it. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Set once the request is valid. */
  input?: Input;
}

interface Deps extends ResponseDeps {
  readonly document: Json;
}

/** The doors that share the mock's port. */
export type MockDoors = Readonly<Record<'api' | 'files' | 'public' | 'operator', RequestListener>>;

/**
 * Returns the server's own doors of the API, of links, of public files and of the operator. Everything up to the first
 * look-up is the server's code: CORS, routes, credentials, bodies, the checks of fields. After it, an example is the
 * response.
 */
export async function mockDoors({ document, ...deps }: Deps): Promise<MockDoors> {
  const { url } = deps;
  const given = mockGiven(url);
  const served = await serveFeatures(given);
  const handleOf = exampleHandle({ document, ...deps }, given.answer, served);
  const handlers = statelessHandlers(given, served);
  const common = { ...given.common, errorForms, pageScripts: served.flatMap(({ pageScripts = [] }) => pageScripts) };
  const contractFolder = join(import.meta.dirname, '../../generated');
  // Scripts must be able to choose a response of a link, too.
  const cors = filesCors({
    exposedHeaders: filesExposedHeaders,
    maxAgeSeconds: 7200,
    alsoAllowed: ['Prefer', 'X-Mock-Story'],
  });
  return {
    operator: operatorDoor({ ...common, handlers, handleOf, console: undefined, hostNames: new Set() }),
    api: apiDoor({
      ...common,
      hasMetrics: mockConfig.hasPublicMetrics,
      handlers,
      handleOf,
      parts: apiPartsOf(served),
      docsFolder: undefined,
      console: undefined,
      addresses: given.urls,
      contractFolder,
      off: [],
    }),
    files: routedDoor('files', { ...common, handlers }, cors, (app) =>
      app.use(routers.files.map((routerOf) => routerOf(handlers, handleOf))),
    ),
    public: publicDoor({
      ...common,
      noteError: () => {},
      answer: given.answer,
      publicHost: url,
      clock: systemClock,
      blobAddresses: undefined,
      variants: undefined,
      find: async (address) => sampleFile(address),
      open: openSample,
    }),
  };
}

/** Returns what answers each operation: the server's own handling of requests, and an example as the response. */
function exampleHandle({ document, ...deps }: Deps, answer: Answer, served: readonly Served[]): Handle<Call> {
  const exchanges = new AsyncLocalStorage<Exchange>();
  const lookUpUpload = served.find((one) => one.lookUpUpload)?.lookUpUpload;
  const real = operationHandle({
    answer,
    authenticate: async (headers, policy) => mockCaller(headers, policy),
    // Every link opens something of the same account.
    ownerOf: async (id, pathParameters) =>
      policies[id].door === 'files' && Object.keys(pathParameters).length > 0 ? mockAccountId : undefined,
    lookUpUpload: (caller, handle) => mockUpload(lookUpUpload, caller, handle),
    validator: new RequestValidator(async () => document),
    errorForms,
    featuresOff: new Set(),
  });
  return (id, operation) => {
    const handler = real(
      id,
      mocked(id, operation, {
        note: (input) => void (exchanges.getStore()!.input = input),
        respond: (call, own) => response(deps, id, { ...exchanges.getStore()!, call, own }),
      }),
    );
    if (typeof handler !== 'function') throw new Error(`The operation ${id} has several handlers.`);
    return (req, res, next) => exchanges.run({ req, res }, () => handler(req, res, next));
  };
}

/** Returns an operation that checks what the real one checks, and then sends an example. */
function mocked(
  id: OperationId,
  operation: Operation<never, Call, Reply>,
  { note, respond }: { note(input: Input): void; respond(call: Call, own: Reply | undefined): Promise<Reply> },
): Operation<never, Call, Reply> {
  return {
    parse(input: never, call: Call) {
      note(input);
      return typeof operation === 'function' ? input : operation.parse(input, call);
    },
    async run(command: never, call: Call) {
      const own = await checkStateless(id, operation, command, call);
      return respond(call, own ?? undefined);
    },
  };
}
