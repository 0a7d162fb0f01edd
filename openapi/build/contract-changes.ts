import { operationsOf, resolve, type Json, type Operation } from '../codegen/document.ts';

/** A difference of two contracts, as a client sees it. */
export interface Change {
  /** Whether a client that worked before may fail now. */
  readonly isBreaking: boolean;
  /** The operation that changed. */
  readonly operation: string;
  readonly text: string;
}

/** Where a schema is used. The same change means the opposite in a request and in a response. */
type Direction = 'request' | 'response';

/**
 * What each kind of change means for clients. A client must still be able to send what it sent, and to read what it
 * gets. New codes, new fields of answers and new values of answers are no breaks: clients are told to expect them.
 */
export const rules = {
  'operation removed': true,
  'operation added': false,
  'parameter removed': true,
  'required parameter added': true,
  'optional parameter added': false,
  'parameter became required': true,
  'parameter became optional': false,
  'body became required': true,
  'media type of a request removed': true,
  'media type of a request added': false,
  'media type of a response removed': true,
  'media type of a response added': false,
  'success status removed': true,
  'success status added': false,
  'error code removed': false,
  'error code added': false,
  'response header removed': true,
  'response header added': false,
  'request field removed': true,
  'required request field added': true,
  'optional request field added': false,
  'request field became required': true,
  'request field became optional': false,
  'response field removed': true,
  'response field added': false,
  'response field became optional': true,
  'response field became required': false,
  'request type narrowed': true,
  'request type widened': false,
  'response type narrowed': false,
  'response type widened': true,
  'request value removed': true,
  'request value added': false,
  'response value removed': false,
  'response value added': false,
  'request range narrowed': true,
  'request range widened': false,
  'scope added': false,
  'scope removed': true,
  'plan raised': true,
  'plan lowered': false,
  'rate limit tightened': true,
  'rate limit loosened': false,
} as const satisfies Record<string, boolean>;

type Rule = keyof typeof rules;

const planOrder = ['none', 'hobby', 'standard', 'pro', 'enterprise'];

/** Returns the differences of two bundled contracts that clients can notice. */
export function contractChanges(before: Json, after: Json): Change[] {
  const old = new Map(operationsOf(before).map((operation) => [nameOf(operation), operation]));
  const now = new Map(operationsOf(after).map((operation) => [nameOf(operation), operation]));
  const changes: Change[] = [];
  for (const [name] of old) if (!now.has(name)) changes.push(changeOf('operation removed', name, ''));
  for (const [name, operation] of now) {
    const earlier = old.get(name);
    if (!earlier) {
      changes.push(changeOf('operation added', name, operation.spec.summary ?? ''));
      continue;
    }
    const note = (rule: Rule, what: string): void => void changes.push(changeOf(rule, name, what));
    compareOperations({ before, after, note }, earlier.spec, operation.spec);
  }
  // The same header of several statuses is one change.
  return [...new Map(changes.map((change) => [`${change.operation} ${change.text}`, change])).values()];
}

function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

function changeOf(rule: Rule, operation: string, what: string): Change {
  return { isBreaking: rules[rule], operation, text: what === '' ? rule : `${rule}: ${what}` };
}

interface Comparison {
  readonly before: Json;
  readonly after: Json;
  note(rule: Rule, what: string): void;
}

function compareOperations(comparison: Comparison, old: Json, now: Json): void {
  compareParameters(comparison, old, now);
  compareBodies(comparison, old.requestBody, now.requestBody);
  compareResponses(comparison, old.responses, now.responses);
  comparePolicies(comparison, old, now);
}

/** Calls the function for each name in either of two records. */
function eachOf(
  old: Json,
  now: Json,
  compare: (name: string, old: Json | undefined, now: Json | undefined) => void,
): void {
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) compare(name, old[name], now[name]);
}

function parametersOf(document: Json, spec: Json): Json {
  const all: Json[] = (spec.parameters ?? []).map((one: Json) => resolve(document, one));
  return Object.fromEntries(all.map((one) => [`${one.in} ${one.name}`, one]));
}

function compareParameters(comparison: Comparison, old: Json, now: Json): void {
  const { before, after, note } = comparison;
  eachOf(parametersOf(before, old), parametersOf(after, now), (name, was, is) => {
    if (!is) return note('parameter removed', name);
    if (!was) return note(is.required ? 'required parameter added' : 'optional parameter added', name);
    if (!was.required && is.required) note('parameter became required', name);
    if (was.required && !is.required) note('parameter became optional', name);
    compareSchemas(comparison, 'request', name, was.schema ?? {}, is.schema ?? {});
  });
}

function compareBodies(comparison: Comparison, old: Json | undefined, now: Json | undefined): void {
  const { before, after, note } = comparison;
  const was = resolve(before, old ?? {});
  const is = resolve(after, now ?? {});
  if (!was.required && is.required) note('body became required', '');
  eachOf(was.content ?? {}, is.content ?? {}, (type, one, other) => {
    if (!other) return note('media type of a request removed', type);
    if (!one) return note('media type of a request added', type);
    compareSchemas(comparison, 'request', '', one.schema ?? {}, other.schema ?? {});
  });
}

function codesOf(response: Json): string[] {
  return Object.values<Json>(response.content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}));
}

function compareResponses(comparison: Comparison, old: Json, now: Json): void {
  const { before, after, note } = comparison;
  eachOf(old, now, (status, one, other) => {
    if (!/^\d{3}$/.test(status)) return;
    const was = one && resolve(before, one);
    const is = other && resolve(after, other);
    if (status >= '400') {
      eachOf(
        Object.fromEntries(codesOf(was ?? {}).map((code) => [code, {}])),
        Object.fromEntries(codesOf(is ?? {}).map((code) => [code, {}])),
        (code, had, has) => {
          if (!has) note('error code removed', `${status} ${code}`);
          else if (!had) note('error code added', `${status} ${code}`);
        },
      );
    } else if (!is) note('success status removed', status);
    else if (!was) note('success status added', status);
    if (!was || !is) return;
    eachOf(was.headers ?? {}, is.headers ?? {}, (name, had, has) => {
      const header = status >= '400' ? `${name}, of errors` : `${status} ${name}`;
      if (!has) note('response header removed', header);
      else if (!had) note('response header added', header);
    });
    eachOf(was.content ?? {}, is.content ?? {}, (type, had, has) => {
      if (!has) note('media type of a response removed', `${status} ${type}`);
      else if (!had) note('media type of a response added', `${status} ${type}`);
      else if (status < '400') compareSchemas(comparison, 'response', '', had.schema ?? {}, has.schema ?? {});
    });
  });
}

/** Joins a schema with what it refers to and with the parts of `allOf`. */
function whole(document: Json, schema: Json): Json {
  const { allOf = [], $ref: _, ...own } = { ...resolve(document, schema), ...schema };
  const parts: Json[] = [...allOf.map((part: Json) => whole(document, part)), own];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

function typesOf(node: Json): Set<string> | undefined {
  return node.type === undefined ? undefined : new Set([node.type].flat());
}

const isWithin = <Value>(some: ReadonlySet<Value>, all: ReadonlySet<Value>): boolean =>
  [...some].every((one) => all.has(one));

function compareSchemas(
  comparison: Comparison,
  direction: Direction,
  at: string,
  oldSchema: Json,
  nowSchema: Json,
  depth = 0,
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
    compareSchemas(comparison, direction, field, was, is, depth + 1);
  });
  if (old.items && now.items) compareSchemas(comparison, direction, `${at}[]`, old.items, now.items, depth + 1);
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

function comparePolicies({ note }: Comparison, old: Json, now: Json): void {
  const [had, has]: [string[], string[]] = [old['x-scopes'] ?? [], now['x-scopes'] ?? []];
  for (const scope of had) if (!has.includes(scope)) note('scope removed', scope);
  for (const scope of has) if (!had.includes(scope)) note('scope added', scope);
  const rank = (spec: Json) => planOrder.indexOf(spec['x-plan']?.minimum ?? 'none');
  if (rank(now) > rank(old)) note('plan raised', now['x-plan'].minimum);
  if (rank(now) < rank(old)) note('plan lowered', now['x-plan']?.minimum ?? 'none');
  const limits = (spec: Json): Json =>
    Object.fromEntries((spec['x-rate-limits'] ?? []).map((one: Json) => [one.name, one]));
  eachOf(limits(old), limits(now), (name, was, is) => {
    const pace = (one: Json | undefined) => (one ? one.limit / one.windowSeconds : Infinity);
    if (pace(is) < pace(was)) note('rate limit tightened', name);
    if (pace(is) > pace(was)) note('rate limit loosened', name);
  });
}
