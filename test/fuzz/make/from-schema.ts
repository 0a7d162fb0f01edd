import { resolve, type Json } from '#openapi/codegen/document.ts';
import { contract } from '#test/support/contract.ts';
import type { Random } from '../random.ts';
import { sampleOf } from './patterns.ts';
import { serverClock } from '../server-clock.ts';

/** Whether values lie anywhere in their range, or at one of its ends. */
export type Where = 'inside' | 'edge';

const letters = 'abcdefghijklmnopqrstuvwxyz ABC0123456789-_é漢';

/** Returns a value that matches a schema of the contract. */
export function valueOf(schema: Json, random: Random, where: Where): unknown {
  const own = resolve(contract, schema);
  if ('const' in own) return own.const;
  if (own.enum) return random.pick(own.enum as unknown[]);
  const choices: Json[] | undefined = own.oneOf ?? own.anyOf;
  if (choices) return valueOf(random.pick(choices), random, where);
  if (own.allOf)
    return Object.assign({}, ...(own.allOf as Json[]).map((part) => valueOf(part, random, where) as object));
  const type: string | undefined = Array.isArray(own.type) ? random.pick(own.type as string[]) : own.type;
  switch (type) {
    case 'string':
      return stringOf(own, random, where);
    case 'integer':
    case 'number':
      return numberOf(own, random, where, type === 'integer');
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return arrayOf(own, random, where);
    case 'object':
      return objectOf(own, random, where);
    case 'null':
      return null;
    default:
      return random.pick<unknown>([null, 'text', 1, {}]);
  }
}

function stringOf({ pattern, format, minLength = 0, maxLength }: Json, random: Random, where: Where): string {
  const most = Math.min(maxLength ?? 40, 2048);
  const length =
    where === 'edge' ? random.pick([minLength, most]) : random.between(minLength, Math.min(most, minLength + 20));
  if (pattern) return fit(sampleOf(pattern, random, Math.max(1, length)), maxLength);
  if (format === 'date-time') return new Date(serverClock.now() - random.below(1e9)).toISOString();
  return random.text(letters, length);
}

function fit(text: string, maxLength: number | undefined): string {
  return maxLength === undefined ? text : text.slice(0, maxLength);
}

function numberOf(
  { minimum = -1000, maximum, default: usual }: Json,
  random: Random,
  where: Where,
  isWhole: boolean,
): number {
  const most = maximum ?? Math.max(minimum, 0) + 100_000;
  if (where === 'edge') return random.pick([minimum, most, ...(usual === undefined ? [] : [usual])]);
  return isWhole
    ? random.between(minimum, Math.min(most, minimum + 2000))
    : minimum + (random.below(100) / 100) * (most - minimum);
}

/** An array with more items has none at an edge. */
const mostOfEdges = 32;

function arrayOf({ items, minItems = 0, maxItems = 10, uniqueItems }: Json, random: Random, where: Where): unknown[] {
  const length =
    where === 'edge' ? random.pick([minItems, maxItems]) : random.between(minItems, Math.min(maxItems, minItems + 3));
  // Of arrays within arrays only one has its most: 10,000 messages of 256 blocks each fit into no memory.
  const within = length > mostOfEdges ? 'inside' : where;
  const values = Array.from({ length }, () => valueOf(items ?? {}, random, within));
  return uniqueItems ? [...new Set(values)] : values;
}

function objectOf(schema: Json, random: Random, where: Where): Json {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const value: Json = {};
  for (const [name, inner] of Object.entries<Json>(properties))
    if (required.includes(name) || random.chance(0.35)) value[name] = valueOf(inner, random, where);
  if (additionalProperties && typeof additionalProperties === 'object')
    for (let count = random.below(4); count > 0; count--) {
      const name = propertyNames?.pattern
        ? sampleOf(propertyNames.pattern, random, random.between(1, 8))
        : random.text('abc', 4);
      value[name] = valueOf(additionalProperties, random, where);
    }
  return value;
}
