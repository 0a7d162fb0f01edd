import { createLogger } from '@stoplight/prism-core';
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig } from '@stoplight/prism-http';

import type { OperationId } from '#generated/policies.ts';
import { operationsOf, resolve, responsesOf, type Json, type Operation } from '#openapi/codegen/document.ts';
import { UnmetPreference, type Preferences } from './preferences.ts';

/** A response that the mock sends. */
export interface MockAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The request as the choice of an example needs it. */
export interface ExampleRequest {
  /** The path without the query. */
  readonly pathname: string;
  readonly accept: string | undefined;
  readonly wanted: Preferences;
}

/** Chooses responses among the contract's examples. */
export interface Examples {
  /** @throws {UnmetPreference} for a status or an example that the operation does not have */
  answer(id: OperationId, requested: ExampleRequest): Promise<MockAnswer>;
  /** The names of an operation's examples, by status. An empty list means a response without examples. */
  named(id: OperationId): ReadonlyMap<number, readonly string[]>;
}

/**
 * Opens the examples of the contract. Prism chooses among them, and makes random bodies from schemas. It checks no
 * request, because the server's own code has done that.
 */
export async function openExamples(document: Json): Promise<Examples> {
  const copy = documentForPrism(document);
  const resources = new Map((await getHttpOperationsFromSpec(copy)).map((one) => [one.iid ?? one.id, one]));
  const operations = new Map(operationsOf(copy).map((one) => [one.id, one]));
  const names = new Map([...operations].map(([id, operation]) => [id, namesOf(copy, operation)]));
  // Other operations send JSON whatever `Accept` says, as the server does.
  const choosesByType = new Set(
    [...operations].flatMap(([id, operation]) => (sendsSeveral(copy, operation) ? [id] : [])),
  );
  const prism = createInstance(config({ dynamic: false }), { logger: createLogger('mock', { level: 'silent' }) });
  const named = (id: OperationId) => names.get(id)!;
  return {
    named,
    async answer(id, { pathname, accept, wanted }) {
      const { method } = operations.get(id)!;
      const { status, example } = found(id, named(id), wanted);
      const choose = async (types: string | undefined) => {
        const request = {
          method: method as 'get',
          url: { path: pathname },
          headers: types === undefined ? {} : { accept: types },
        };
        const choice = config({
          dynamic: wanted.isDynamic ?? false,
          ...(status !== undefined && { code: status }),
          ...(example !== undefined && { exampleKey: example }),
        });
        return prism.request(request, [resources.get(id)!], choice)();
      };
      const typed = choosesByType.has(id) ? accept : undefined;
      let outcome = await choose(typed);
      // A response has its type even if no type is acceptable, as those of the server have.
      if (outcome._tag === 'Left' && typed !== undefined) outcome = await choose(undefined);
      if (outcome._tag === 'Left') throw outcome.left;
      const { statusCode, headers = {}, body } = outcome.right.output;
      const sent = Object.entries(headers).flatMap(([name, value]) =>
        value === null ? [] : [[name.toLowerCase(), String(value)] as const],
      );
      return { status: statusCode, headers: Object.fromEntries(sent), body: textOf(body) };
    },
  };
}

function config(mock: IHttpConfig['mock']): IHttpConfig {
  return {
    isProxy: false,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    mock,
  };
}

function textOf(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

/** Adapts the contract for Prism. */
function documentForPrism(document: Json): Json {
  const copy = structuredClone(document);
  for (const operation of operationsOf(copy)) {
    for (const { response } of responsesOf(copy, operation)) {
      // Prism would send `*/*` as the Content-Type.
      if (response.content?.['*/*']) {
        const { '*/*': anything, ...others } = response.content;
        response.content = { 'application/octet-stream': anything, ...others };
      }
    }
  }
  return copy;
}

function sendsSeveral(document: Json, operation: Operation): boolean {
  const chosen = ['text/html', 'text/event-stream'];
  return responsesOf(document, operation).some(({ response }) =>
    chosen.some((type) => type in (response.content ?? {})),
  );
}

function namesOf(document: Json, operation: Operation): ReadonlyMap<number, readonly string[]> {
  return new Map(
    responsesOf(document, operation).map(({ status, response }) => [
      status,
      Object.values<Json>(response.content ?? {}).flatMap((media) =>
        Object.keys(resolve(document, media).examples ?? {}),
      ),
    ]),
  );
}

/** Returns the status and the example that the operation has. An example alone determines its status. */
function found(
  id: OperationId,
  named: ReadonlyMap<number, readonly string[]>,
  { status, example }: Preferences,
): Pick<Preferences, 'status' | 'example'> {
  if (status !== undefined && !named.has(status))
    throw new UnmetPreference(`${id} has no response with status ${status}. It has ${[...named.keys()].join(', ')}.`);
  if (example === undefined) return status === undefined ? {} : { status };
  const places = [...named].filter(([at, names]) => (status ?? at) === at && names.includes(example));
  const [place] = places;
  if (place) return { status: place[0], example };
  const all = [...named].flatMap(([at, names]) => ((status ?? at) === at ? names.map((name) => `${at} ${name}`) : []));
  throw new UnmetPreference(
    `${id} has no example "${example}"${status === undefined ? '' : ` of status ${status}`}. It has ` +
      `${all.join(', ') || 'none'}.`,
  );
}
