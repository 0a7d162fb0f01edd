import { resolve, type Json } from '../codegen/document.ts';
import type { Rule } from './change-rules.ts';

/** Where a schema is used. The same change means the opposite in a request and in a response. */
type Direction = 'request' | 'response';

/** Two contracts, and what is noted of their differences. */
export interface Comparison {
  readonly before: Json;
  readonly after: Json;
  note(rule: Rule, what: string): void;
}

/** Calls the function for each name in either of two records. */
export function eachOf(
  old: Json,
  now: Json,
  compare: (name: string, old: Json | undefined, now: Json | undefined) => void,
): void {
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) compare(name, old[name], now[name]);
}

/** Joins a schema with what it refers to and with the parts of `allOf`. */
function whole(document: Json, schema: Json): Json {
  const { allOf = [], $ref: _, ...own } = { ...resolve(document, schema), ...schema };
  const parts: Json[] = [...allOf.map((part: Json) => whole(document, part)), own];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => sendable(part.properties))),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

/** Leaves out what a request may repeat from a response, because it is ignored. */
function sendable(properties: Json = {}): Json {
  return Object.fromEntries(Object.entries<Json>(properties).filter(([, field]) => field.readOnly !== true));
}

function typesOf(node: Json): Set<string> | undefined {
  return node.type === undefined ? undefined : new Set([node.type].flat());
}

const isWithin = <Value>(some: ReadonlySet<Value>, all: ReadonlySet<Value>): boolean =>
  [...some].every((one) => all.has(one));

interface Place {
  readonly direction: Direction;
  /** A field. Empty for the whole body. */
  readonly at: string;
  readonly depth?: number;
}

/** Notes the differences of two schemas, at a place of a request or response. */
export function compareSchemas(
  comparison: Comparison,
  { direction, at, depth = 0 }: Place,
  oldSchema: Json,
  nowSchema: Json,
): void {
  const { before, after, note } = comparison;
  if (depth > 6) return;
  const old = whole(before, oldSchema);
  const now = whole(after, nowSchema);
  const oldTypes = typesOf(old);
  const nowTypes = typesOf(now);
  if (oldTypes && nowTypes) {
    if (!isWithin(oldTypes, nowTypes)) note(`${direction} type narrowed`, at);
    else if (!isWithin(nowTypes, oldTypes)) note(`${direction} type widened`, at);
  }
  if (old.enum && now.enum) {
    for (const value of old.enum) if (!now.enum.includes(value)) note(`${direction} value removed`, `${at} ${value}`);
    for (const value of now.enum) if (!old.enum.includes(value)) note(`${direction} value added`, `${at} ${value}`);
  }
  if (direction === 'request') compareRanges(comparison, at, old, now);
  eachOf(old.properties, now.properties, (name, was, is) => {
    const field = at === '' ? name : `${at}.${name}`;
    const wasRequired = old.required.includes(name);
    const isRequired = now.required.includes(name);
    if (!is) return note(`${direction} field removed`, field);
    if (!was) {
      if (direction === 'response') return note('response field added', field);
      return note(isRequired ? 'required request field added' : 'optional request field added', field);
    }
    if (!wasRequired && isRequired) note(`${direction} field became required`, field);
    if (wasRequired && !isRequired) note(`${direction} field became optional`, field);
    compareSchemas(comparison, { direction, at: field, depth: depth + 1 }, was, is);
  });
  const item = { direction, at: `${at}[]`, depth: depth + 1 };
  if (old.items && now.items) compareSchemas(comparison, item, old.items, now.items);
}

const least = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const most = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

function compareRanges({ note }: Comparison, at: string, old: Json, now: Json): void {
  for (const word of least) {
    const [was, is] = [old[word] ?? -Infinity, now[word] ?? -Infinity];
    if (is > was) note('request range narrowed', `${at}: ${word} ${is}, was ${was}`);
    if (is < was) note('request range widened', `${at}: ${word} ${is}, was ${was}`);
  }
  for (const word of most) {
    const [was, is] = [old[word] ?? Infinity, now[word] ?? Infinity];
    if (is < was) note('request range narrowed', `${at}: ${word} ${is}, was ${was}`);
    if (is > was) note('request range widened', `${at}: ${word} ${is}, was ${was}`);
  }
}
