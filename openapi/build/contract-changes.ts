import { operationsOf, resolve, type Json, type Operation } from '../codegen/document.ts';
import { rules, type Change, type Rule } from './change-rules.ts';
import { compareSchemas, eachOf, type Comparison } from './compare-schemas.ts';

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

function compareOperations(comparison: Comparison, old: Json, now: Json): void {
  compareParameters(comparison, old, now);
  compareBodies(comparison, old.requestBody, now.requestBody);
  compareResponses(comparison, old.responses, now.responses);
  comparePolicies(comparison, old, now);
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
    compareSchemas(comparison, { direction: 'request', at: name }, was.schema ?? {}, is.schema ?? {});
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
    compareSchemas(comparison, { direction: 'request', at: '' }, one.schema ?? {}, other.schema ?? {});
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
      else if (status < '400')
        compareSchemas(comparison, { direction: 'response', at: '' }, had.schema ?? {}, has.schema ?? {});
    });
  });
}

function comparePolicies({ note }: Comparison, old: Json, now: Json): void {
  const [had, has]: [string[], string[]] = [old['x-scopes'] ?? [], now['x-scopes'] ?? []];
  for (const scope of had) if (!has.includes(scope)) note('scope removed', scope);
  for (const scope of has) if (!had.includes(scope)) note('scope added', scope);
  const [neededAll, needsAll] = [Boolean(old['x-all-scopes']), Boolean(now['x-all-scopes'])];
  if (neededAll !== needsAll) note(needsAll ? 'all scopes required' : 'one scope suffices', '');
  const rank = (spec: Json) => planOrder.indexOf(spec['x-plan']?.minimum ?? 'none');
  if (rank(now) > rank(old)) note('plan raised', now['x-plan'].minimum);
  if (rank(now) < rank(old)) note('plan lowered', now['x-plan']?.minimum ?? 'none');
  const refuses = (spec: Json) => spec['x-unknown-fields'] === 'refused';
  if (refuses(now) !== refuses(old)) note(`unknown request fields ${refuses(now) ? 'refused' : 'ignored'}`, '');
  const limits = (spec: Json): Json =>
    Object.fromEntries((spec['x-rate-limits'] ?? []).map((one: Json) => [one.name, one]));
  eachOf(limits(old), limits(now), (name, was, is) => {
    const pace = (one: Json | undefined) => (one ? one.limit / one.windowSeconds : Infinity);
    if (pace(is) < pace(was)) note('rate limit tightened', name);
    if (pace(is) > pace(was)) note('rate limit loosened', name);
  });
}
