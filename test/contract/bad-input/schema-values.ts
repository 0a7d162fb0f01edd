import { readFileSync } from 'node:fs';

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

import type { ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import type { FieldCodes, OperationPolicy, ParameterPolicy } from '#server/pipeline/operation-policy.ts';

/** The keywords of a schema from which values are made. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** A field of an operation, with values that the contract refuses, each with its codes, and values that it takes. */
export interface DeclaredField {
  /** The name in `policies`: `/` separates the steps into a body, `*` is an entry of a list. */
  readonly field: string;
  readonly bad: readonly BadValue[];
  readonly good: readonly unknown[];
}

export interface BadValue {
  /** More than one where the value breaks several rules. */
  readonly codes: readonly ErrorCode[];
  /** `undefined` leaves the field out. */
  readonly value: unknown;
  /** Whether it is just beyond what the schema allows. */
  readonly isBorder: boolean;
}

const contract = JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: true });
ajv.addSchema(contract, 'contract');

/** Follows references. What stands beside one counts too. */
function resolved({ $ref, ...beside }: Schema): Schema {
  if ($ref === undefined) return beside;
  const target = $ref
    .split('/')
    .slice(1)
    .reduce((at, step) => at[step], contract) as Schema;
  return { ...resolved(target), ...beside };
}

const validators = new Map<Schema, ValidateFunction>();

/** Returns how a value breaks a schema. */
function faultsOf(schema: Schema, value: unknown): readonly ErrorObject[] {
  if (!validators.has(schema)) {
    const text = JSON.stringify(schema).replaceAll('"#/', '"contract#/');
    validators.set(schema, ajv.compile(JSON.parse(text)));
  }
  const validate = validators.get(schema)!;
  return validate(value) ? [] : validate.errors!;
}

const oddities = [
  '',
  ' ',
  'a b',
  '-',
  '..',
  '../a',
  '/',
  '*',
  'é',
  'ａ',
  '📁',
  '\ud83d',
  'a\u0000',
  '__proto__',
  'null',
];

/** A text as programs change it on its way, and as attackers do. */
const disguised = (text: string) => [
  ` ${text}`,
  `${text} `,
  `${text}\n`,
  `${text}\r\nSet-Cookie: a=b`,
  `${text}\u0000`,
  `${text}\u200b`,
  `\u202e${text}`,
  `"${text}"`,
  `${text}%41`,
  `${text},${text}`,
  text.toUpperCase(),
  text.slice(0, -1),
];

function textsFor({ enum: allowed, minLength = 0, maxLength, examples = [] }: Schema): string[] {
  const known = [...(allowed ?? []), ...examples].filter((one) => typeof one === 'string');
  const lengths = [minLength - 1, ...(maxLength === undefined ? [] : [maxLength + 1])];
  return [
    ...oddities,
    ...disguised(known[0] ?? 'a'),
    ...lengths.filter((length) => length > 0).map((length) => 'a'.repeat(length)),
  ];
}

const numbersFor = ({ minimum = 0, maximum = 7 }: Schema): number[] =>
  [minimum - 1, minimum - 0.5, -1, 0, minimum + 0.5, maximum + 1, 1e300].filter(Number.isFinite);

/** Values of each kind for a field of JSON. Most of them break its schema. */
function jsonFor(schema: Schema): unknown[] {
  const example = schema.examples?.[0] ?? schema.enum?.[0] ?? 'a';
  const shapes = [null, true, false, 0, 7, 1.5, 'a', [], {}, [null], [[]], [{}], { 0: 'a', length: 1 }];
  const around = [[example], { value: example }, JSON.stringify(example)];
  const { items, maxItems } = schema;
  const entry = items && (resolved(items).examples?.[0] ?? null);
  const tooMany = maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => entry)];
  const texts = JSON.stringify(schema.type ?? 'string').includes('"string"') ? textsFor(schema) : ['', 'null'];
  const numbers = schema.minimum === undefined ? [-1] : numbersFor(schema);
  const all = [...shapes, ...around, ...tooMany, ...numbers, ...texts];
  return [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
}

/** What the server makes of a text in the query before it looks at the schema. Undefined if it is none of that type. */
function decoded({ type }: Schema, text: string): unknown {
  if (type === 'integer') return /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return ({ true: true, 1: true, false: false, 0: false } as Record<string, unknown>)[text];
  return text;
}

/** Values that stand at the borders of a schema, within it. */
function borders({ type, enum: allowed, minimum, maximum }: Schema): unknown[] {
  if (allowed) return [...allowed];
  if (type === 'boolean') return [true, false];
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) return [minimum, maximum];
  return [];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

function inQuery({ name, schema: given, required }: Parameter, policy: ParameterPolicy): DeclaredField {
  const { codes, mayBeEmpty = false, dropsControls = false } = policy;
  const schema = resolved(given);
  const ofNumbers = [...numbersFor(schema).map(String), '7.0', '+7', '1e3', '0x7', '７', '1'.repeat(400)];
  const ofType = { integer: ofNumbers, boolean: ['TRUE', 'yes', '2', '00', '１', 'truе'], string: [] };
  const texts = [...textsFor(schema), ...ofType[policy.kind]];
  const faults = (text: string): readonly Fault[] => {
    const value = decoded(schema, text);
    return value === undefined || (text === '' && !mayBeEmpty) ? [{ keyword: 'type' }] : faultsOf(given, value);
  };
  const sent = texts.filter((text) => text.isWellFormed() && !(dropsControls && text !== removeControls(text)));
  const refused = [...new Set(sent)].filter((text) => faults(text).length > 0);
  return {
    field: name,
    bad: [
      ...(required ? [leftOut(codes!)] : []),
      ...refused.map((value) => badValue(value, codesOf(codes!, faults(value)), faults(value))),
    ],
    good: borders(schema),
  };
}

// eslint-disable-next-line no-control-regex
const removeControls = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f]/g, '');

interface Fault {
  readonly keyword: string;
}

function codesOf(codes: FieldCodes, faults: readonly Fault[]): ErrorCode[] {
  return [...new Set(faults.map(({ keyword }) => codes[keyword] ?? codes.default))];
}

const isOfBorder = ({ keyword }: Fault) => /^(?:min|max)/.test(keyword);

function badValue(value: unknown, codes: readonly ErrorCode[], faults: readonly Fault[]): BadValue {
  return { value, codes, isBorder: faults.every(isOfBorder) };
}

function leftOut(codes: FieldCodes): BadValue {
  return { value: undefined, codes: codesOf(codes, [{ keyword: 'required' }]), isBorder: true };
}

type BodyFields = OperationPolicy['bodyFields'];

function inBody(body: Schema, path: string, fields: BodyFields): DeclaredField {
  const steps = path.split('/').slice(1);
  const schema = steps.reduce(below, body);
  const parent = resolved(steps.slice(0, -1).reduce(below, body));
  const isRequired = parent.required?.includes(steps.at(-1)!) === true;
  const refused = jsonFor(resolved(schema)).flatMap((value): BadValue[] => {
    const faults = faultsOf(schema, value);
    const codes = new Set(faults.flatMap((fault) => codesAt(fields, path, fault)));
    return faults.length > 0 ? [badValue(value, [...codes], faults)] : [];
  });
  return {
    field: steps.join('/'),
    bad: isRequired ? [leftOut(fields[path]!.codes!), ...refused] : refused,
    good: borders(resolved(schema)),
  };
}

function below(schema: Schema, step: string): Schema {
  const found = forms(schema)
    .map(({ items, properties }) => (step === '*' ? items : properties?.[step]))
    .find((one) => one !== undefined);
  if (!found) throw new Error(`The contract has no ${step} in ${JSON.stringify(schema).slice(0, 300)}.`);
  return found;
}

/** A schema, and those that it is put together from. */
function forms(schema: Schema): readonly Schema[] {
  const whole = resolved(schema);
  return [whole, ...[whole.allOf, whole.anyOf, whole.oneOf].flatMap((parts) => (parts ?? []).flatMap(forms))];
}

/** The code is that of the place in the value where it breaks its schema, or else of what is around that. */
function codesAt(fields: BodyFields, path: string, { keyword, instancePath, params }: ErrorObject): ErrorCode[] {
  const missing = keyword === 'required' ? `/${params.missingProperty}` : '';
  let place = path + instancePath.replaceAll(/\/[0-9]+/g, '/*') + missing;
  while (!fields[place]?.codes) place = place.slice(0, place.lastIndexOf('/'));
  return codesOf(fields[place]!.codes!, [{ keyword }]);
}

const operations = new Map<string, { parameters?: readonly Parameter[]; requestBody?: RequestBody }>(
  Object.values(contract.paths as Record<string, object>).flatMap((path) =>
    Object.values(path).flatMap((operation) => (operation.operationId ? [[operation.operationId, operation]] : [])),
  ) as never,
);

interface RequestBody {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** Returns the fields of an operation in its query, or in its body of JSON, that have a code of their own. */
export function declaredFields(operation: OperationId): readonly DeclaredField[] {
  const { queryFields, bodyFields }: OperationPolicy = policies[operation];
  const { parameters = [], requestBody } = operations.get(operation)!;
  const known = parameters.map((one) => resolved(one as object) as unknown as Parameter);
  const body = requestBody?.content['application/json']?.schema;
  return [
    ...known
      .filter((one) => one.in === 'query' && queryFields[one.name]?.codes)
      .map((one) => inQuery(one, queryFields[one.name]!)),
    ...Object.keys(bodyFields)
      .filter((path) => body && path !== 'body' && bodyFields[path]!.codes)
      .map((path) => inBody(body!, path, bodyFields)),
  ];
}
