import { banner, operationsOf, pascalCase, print, type Json, type Operation } from './document.ts';
import { retriesOf } from './retries.ts';
import { isJson, shownOf, type Shown } from './shown-responses.ts';

/** The type of a body, in the words of the client's types. */
function typeOf({ id }: Operation, { status, type }: Shown): string {
  if (!isJson(type)) return 'string';
  return `types.${pascalCase(id[0]!.toUpperCase() + id.slice(1))}${status < 400 ? 'Responses' : 'Errors'}[${status}]`;
}

/** Gives equal values one place in a list. */
class Shared {
  readonly values: unknown[] = [];
  readonly #places = new Map<string, number>();

  placeOf(value: unknown): number {
    const text = JSON.stringify(value);
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** What the printed module makes of its tables. */
const reading = `function frozen(value) {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

frozen(bodies);
frozen(headers);

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

export const operations = frozen(
  mapped(table, ({ responses, ...operation }) => ({
    ...operation,
    responses: mapped(responses, ([status, type, body, head], name) => ({
      status,
      headers: {
        ...headers[head],
        ...('Link' in headers[head] && { Link: \`</docs/errors/\${name.toUpperCase()}>; rel="help"\` }),
        ...(type !== null && { 'Content-Type': type }),
      },
      ...(body !== null && { body: bodies[body] }),
    })),
  })),
);

export const fixtures = frozen(
  mapped(operations, ({ responses }) =>
    mapped(Object.fromEntries(Object.entries(responses).filter(([, response]) => 'body' in response)), ({ body }) => body),
  ),
);
`;

/** Prints the examples of all operations, as JavaScript. Examples that several operations share are there once. */
export function printFixtures(document: Json): string {
  const bodies = new Shared();
  const headers = new Shared();
  const retries = retriesOf(document);
  const table = Object.fromEntries(
    operationsOf(document).map((operation) => [
      operation.id,
      {
        method: operation.method.toUpperCase(),
        path: operation.path,
        door: operation.door,
        needsKey: (operation.spec.security ?? document.security ?? []).length > 0,
        responses: Object.fromEntries(
          shownOf(document, operation, retries).map((shown) => [
            shown.name,
            [
              shown.status,
              shown.type ?? null,
              shown.type === undefined ? null : bodies.placeOf(shown.body),
              headers.placeOf(shown.headers),
            ],
          ]),
        ),
      },
    ]),
  );
  return `${banner}const bodies = ${print(bodies.values)};

const headers = ${print(headers.values)};

const table = ${print(table)};

${reading}`;
}

/** Prints the types of what {@link printFixtures} prints. */
export function printFixtureTypes(document: Json): string {
  const operations = operationsOf(document).map((operation) => {
    const shown = shownOf(document, operation, new Map());
    const bodies = shown.filter(({ type }) => type !== undefined);
    const bare = shown.filter(({ type }) => type === undefined);
    return {
      bodies: `  readonly ${operation.id}: {\n${bodies.map((one) => `    readonly ${nameOf(one.name)}: ${typeOf(operation, one)};\n`).join('')}  };\n`,
      bare: `  readonly ${operation.id}: ${bare.map(({ name }) => `'${name}'`).join(' | ') || 'never'};\n`,
    };
  });
  return `${banner}import type * as types from '../client/index.js';

/** The bodies of the contract's examples, by operation and name. The name of an error's example is its code. */
export interface Fixtures {
${operations.map(({ bodies }) => bodies).join('')}}

/** The responses without a body, by operation. Each is named after its status: \`status302\`. */
export interface BareResponses {
${operations.map(({ bare }) => bare).join('')}}

export type OperationId = keyof Fixtures;

/** The name of a response of an operation. */
export type ResponseName<Id extends OperationId> = Extract<keyof Fixtures[Id] | BareResponses[Id], string>;

/** A whole response: what the mock sends for the example. */
export interface ExampleResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for a response without a body. Frozen. */
  readonly body?: Body;
}

export interface ExampleOperation<Id extends OperationId = OperationId> {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  /** As in the contract: \`/v1/account/keys/{id}\`. */
  readonly path: string;
  /** The host that serves it. */
  readonly door: 'api' | 'files' | 'public';
  /** Whether a request needs a credential. */
  readonly needsKey: boolean;
  readonly responses: { readonly [Name in ResponseName<Id>]: ExampleResponse<Name extends keyof Fixtures[Id] ? Fixtures[Id][Name] : never> };
}

/** Bodies of responses, frozen. Spread one to change it. */
export declare const fixtures: Fixtures;

/** Every operation with all its example responses. */
export declare const operations: { readonly [Id in OperationId]: ExampleOperation<Id> };
`;
}

function nameOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}
