import { fieldsOf } from '#server/backends/json-value.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The number of values left to create. A schema may refer to itself. */
interface Budget {
  values: number;
}

const mostValues = 500;
const mostDepth = 12;
const mostItems = 10;
const mostLetters = 1000;

const formats: ReadonlyMap<unknown, string> = new Map([
  ['date-time', '2026-01-01T12:00:00Z'],
  ['date', '2026-01-01'],
  ['time', '12:00:00Z'],
  ['email', 'someone@example.com'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
]);

/**
 * Returns a value that fits a JSON Schema, the same each time. Objects have only their required fields. It supports the
 * usual keywords of function schemas, and ignores others such as `pattern`.
 *
 * @param name the text of strings without a better one
 */
export function sampleValue(schema: unknown, name: string): unknown {
  return sample(fieldsOf(schema), name, { root: fieldsOf(schema), budget: { values: mostValues }, depth: 0 });
}

interface Place {
  readonly root: Schema;
  readonly budget: Budget;
  readonly depth: number;
}

function sample(schema: Schema, name: string, at: Place): unknown {
  if (at.depth > mostDepth || --at.budget.values < 0) return null;
  const deeper: Place = { ...at, depth: at.depth + 1 };
  if (typeof schema.$ref === 'string') return sample(referred(schema.$ref, at.root), name, deeper);
  if ('const' in schema) return schema.const;
  for (const choices of [schema.enum, schema.examples])
    if (Array.isArray(choices) && choices.length > 0) return choices[0];
  if ('default' in schema) return schema.default;
  const parts = [schema.anyOf, schema.oneOf].find((one) => Array.isArray(one) && one.length > 0) as
    | readonly unknown[]
    | undefined;
  if (parts) return sample(fieldsOf(parts[0]), name, deeper);
  if (Array.isArray(schema.allOf)) return sample(joined(schema, schema.allOf), name, deeper);
  return ofType(schema, name, deeper);
}

function ofType(schema: Schema, name: string, at: Place): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, at);
    case 'array':
      return Array.from({ length: Math.min(mostItems, countOf(schema.minItems)) }, () =>
        sample(fieldsOf(schema.items), name, at),
      );
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleText(schema, name);
  }
}

function typeOf({ type, properties, items }: Schema): unknown {
  if (Array.isArray(type)) return (type as unknown[]).find((one) => one !== 'null') ?? 'null';
  return type ?? (properties ? 'object' : items ? 'array' : 'string');
}

function sampleObject({ properties, required }: Schema, at: Place): Record<string, unknown> {
  // A name costs time even if no value is left for it.
  const names = (Array.isArray(required) ? required : [])
    .slice(0, Math.max(0, at.budget.values))
    .filter((name) => typeof name === 'string');
  const known = fieldsOf(properties);
  return Object.fromEntries(
    names.map((name) => [name, sample(fieldsOf(Object.hasOwn(known, name) ? known[name] : undefined), name, at)]),
  );
}

function sampleNumber({ minimum, exclusiveMinimum, maximum }: Schema): number {
  const least = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1;
  return typeof maximum === 'number' && maximum < least ? maximum : least;
}

function sampleText({ format, minLength, maxLength }: Schema, name: string): string {
  const text = formats.get(format) ?? name;
  const long = text.padEnd(Math.min(mostLetters, countOf(minLength)), '.');
  return typeof maxLength === 'number' ? long.slice(0, countOf(maxLength)) : long;
}

/** Resolves a `$ref` within the same document, such as `#/$defs/Place`. */
function referred(ref: string, root: Schema): Schema {
  const steps = ref.replace(/^#\/?/, '').split('/').filter(Boolean);
  return steps.reduce((schema, step) => fieldsOf(Object.hasOwn(schema, step) ? schema[step] : undefined), root);
}

function joined(schema: Schema, parts: readonly unknown[]): Schema {
  const { allOf: _, ...own } = schema;
  const all = [own, ...parts.map(fieldsOf)];
  return {
    ...(Object.assign({}, ...all) as Schema),
    properties: Object.assign({}, ...all.map(({ properties }) => fieldsOf(properties))) as unknown,
    required: all.flatMap(({ required }) => (Array.isArray(required) ? (required as unknown[]) : [])),
  };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
}
