import { operationsOf, resolve, type Json, type Operation } from '#openapi/codegen/document.ts';
import type { DoorName } from '#server/config/door-names.ts';
import { contract } from '#test/support/contract.ts';
import type { Body, Draft } from './draft.ts';
import { valueOf } from './make/from-schema.ts';
import type { World } from './world.ts';

export const operations: ReadonlyMap<string, Operation> = new Map(
  operationsOf(contract).map((operation) => [operation.id, operation]),
);

/** Values that replace generated ones. Undefined leaves a value out. */
export interface Chosen {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of a JSON body or a form. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly body?: Body;
  readonly door?: DoorName;
  readonly credential?: string | undefined;
}

/** Returns a request from the contract's own schemas, with the chosen values in it. */
export function draftOf(world: World, id: string, chosen: Chosen = {}): Draft {
  const operation = operations.get(id)!;
  const { spec, method, path } = operation;
  const parameters = parametersOf(operation);
  return {
    operation: id,
    door: chosen.door ?? (operation.door as DoorName),
    method: method.toUpperCase(),
    path,
    pathValues: {
      ...Object.fromEntries(
        of('path').map(({ name, schema }) => [name, String(valueOf(schema, world.random, world.where))]),
      ),
      ...chosen.path,
    },
    query: queryOf(of('query'), world, chosen.query ?? {}),
    headers: Object.entries(chosen.headers ?? {}),
    body: chosen.body ?? bodyOf(spec, world, chosen.fields ?? {}),
    credential: 'credential' in chosen ? chosen.credential : credentialOf(operation, world),
  };

  function of(where: string): Json[] {
    return parameters.filter((parameter) => parameter.in === where);
  }
}

/** Returns the parameters of an operation, also those of its path. */
function parametersOf({ path, spec }: Operation): Json[] {
  const all = [...(contract.paths[path].parameters ?? []), ...(spec.parameters ?? [])];
  return all.map((parameter: Json) => resolve(contract, parameter));
}

function queryOf(parameters: Json[], world: World, chosen: NonNullable<Chosen['query']>): Draft['query'] {
  return parameters.flatMap(({ name, required, schema }): Draft['query'] => {
    if (name in chosen) return chosen[name] === undefined ? [] : [[name, String(chosen[name])]];
    if (!required && !world.random.chance(0.3)) return [];
    return [[name, String(valueOf(schema, world.random, world.where))]];
  });
}

function bodyOf(spec: Json, world: World, fields: Readonly<Record<string, unknown>>): Body | undefined {
  const content: Json = resolve(contract, spec.requestBody)?.content ?? {};
  const [type] = world.random.chance(0.3) ? Object.keys(content).reverse() : Object.keys(content);
  if (type === undefined || !content[type].schema) return undefined;
  const generated = valueOf(content[type].schema, world.random, world.where) as Record<string, unknown>;
  const value = Object.fromEntries(
    Object.entries({ ...generated, ...fields }).filter(([, field]) => field !== undefined),
  );
  if (type === 'application/x-www-form-urlencoded')
    return { kind: 'form', fields: Object.entries(value).map(([name, field]) => [name, formText(field)]) };
  return type === 'application/json' ? { kind: 'json', value } : undefined;
}

const formText = (value: unknown): string => (Array.isArray(value) ? value.join(' ') : String(value));

function credentialOf({ spec }: Operation, world: World): string | undefined {
  const security: Json[] = spec.security ?? contract.security ?? [];
  const names = security.flatMap((one) => Object.keys(one));
  if (names.includes('operatorKey')) return bearer(world, world.operator);
  return names.includes('apiKey') ? bearer(world, world.member.credential) : undefined;
}

/** Both forms of the header are valid. */
function bearer(world: World, credential: string): string {
  return world.random.chance(0.3) ? credential : `Bearer ${credential}`;
}
