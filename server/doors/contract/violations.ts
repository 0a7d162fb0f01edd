import type { ErrorCode } from '#generated/errors.ts';
import type { FieldPolicy, OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { OperationId } from '#generated/policies.ts';
import { maxListPrefixBytes } from '#server/domain/limits.ts';
import { Refusal, type RefusalDetails } from '#server/domain/refusal.ts';
import { fieldDetails, unknownFieldMessage, type Finding } from './field-messages.ts';
import type { RawInput } from './raw-values.ts';

/**
 * Returns the refusal of a request that the validator found violations in. It has the code that the contract names for
 * the first one.
 *
 * @param raw the request as it was sent
 * @param body as the validator left it
 */
export function refusalOf(
  findings: readonly Finding[],
  { operationId, policy }: { readonly operationId: OperationId; readonly policy: OperationPolicy },
  { raw, body }: { readonly raw: RawInput; readonly body: unknown },
): Refusal {
  const first = firstOf(policy, findings);
  const prefix = rulePrefixAt(first.path, body);
  const code = codeOf(operationId, policy, first);
  return new Refusal(code, {
    ...detailsOf(code, policy, describedBy(policy, first, findings, raw), raw),
    ...(prefix !== undefined && { prefix }),
  });
}

/**
 * Returns the contract's policy for the field at a path. For a body field without codes, returns the policy of the
 * closest field around it that has them.
 */
function fieldAt(policy: OperationPolicy, path: string): FieldPolicy | undefined {
  const [, where, ...steps] = path.split('/');
  if (where === 'query') return policy.queryFields[steps[0] ?? ''];
  if (where === 'params') return policy.pathFields[steps[0] ?? ''];
  if (where !== 'body') return undefined;
  const generic = steps.map((step) => (/^[0-9]+$/.test(step) ? '*' : step));
  for (let length = generic.length; length >= 0; length--) {
    const field = policy.bodyFields[['body', ...generic.slice(0, length)].join('/')];
    if (field?.codes) return field;
  }
  return undefined;
}

/**
 * Returns the details of a refusal. A path parameter has none, because every path that leads nowhere gets the same
 * response. A page shows the code's standard message, and programs get the specific message as its detail.
 */
function detailsOf(code: ErrorCode, policy: OperationPolicy, finding: Finding, raw: RawInput): RefusalDetails {
  if (finding.path.startsWith('/params/')) return {};
  if (isNamelessField(finding)) return { message: 'A field of the body has an empty name. Name it, or leave it out.' };
  if (isUnknownField(finding)) return { message: unknownFieldMessage(finding, knownFieldsAt(policy, finding.path)) };
  const { message, ...details } = fieldDetails(
    code,
    finding,
    fieldAt(policy, finding.path),
    valueAt(finding.path, raw),
  );
  if (message === undefined) return details;
  return policy.errorShape === 'page' ? { detail: message } : { message };
}

function isUnknownField({ errorCode }: Finding): boolean {
  return errorCode?.startsWith('unevaluatedProperties.') ?? false;
}

/** The validator gives the place of a field with an empty name as an empty path. */
function isNamelessField(finding: Finding): boolean {
  return isUnknownField(finding) && finding.path === '';
}

/** Returns the names of the fields that may stand beside a field. */
function knownFieldsAt(policy: OperationPolicy, path: string): string[] {
  const place = path.replaceAll(/\/[0-9]+(?=\/)/g, '/*').slice(1);
  const parents = Object.keys(policy.bodyFields).map((name) => name.slice(0, name.lastIndexOf('/') + 1));
  // The name of an unknown field may have slashes.
  const parent = parents
    .filter((one) => one !== '' && place.startsWith(one))
    .toSorted((a, b) => b.length - a.length)[0];
  return Object.keys(policy.bodyFields).flatMap((name) =>
    parent !== undefined && name.startsWith(parent) && !/[/*]/.test(name.slice(parent.length))
      ? [name.slice(parent.length)]
      : [],
  );
}

/** Returns the value at a path of a request, as it was sent. */
function valueAt(path: string, { pathParameters, query, body }: RawInput): unknown {
  const [, where, ...steps] = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (where === 'query') return query.get(steps[0] ?? '')?.[0];
  if (where === 'params') return pathParameters[steps[0] ?? ''];
  let value: unknown = body;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/**
 * Returns the first violation: query parameters in the contract's order, then path parameters, then the body from the
 * outside in.
 */
function firstOf(policy: OperationPolicy, findings: readonly Finding[]): Finding {
  const order = [...Object.keys(policy.queryFields).map((name) => `/query/${name}`)];
  const rank = ({ path }: Finding) =>
    order.includes(path) ? order.indexOf(path) : path.startsWith('/body') ? 1000 + path.split('/').length : 500;
  return findings.toSorted((a, b) => rank(a) - rank(b))[0]!;
}

/**
 * Returns the violation to describe. If a value fits none of several forms, that of the nearest form:
 * - A word that no form knows is described, with the choices of all forms.
 * - A word that one form knows shows which form was meant, so its other violation is described.
 * - Otherwise the nearest form is one of the value's kind, and of several the one that fits the longest part of it.
 * - If no form is of its kind, the kinds of all forms are listed.
 */
function describedBy(policy: OperationPolicy, first: Finding, findings: readonly Finding[], raw: RawInput): Finding {
  const value = valueAt(first.path, raw);
  const isChoice = ({ path, errorCode }: Finding) => path === first.path && /^(oneOf|anyOf)\./.test(errorCode ?? '');
  if (!findings.some(isChoice)) return first;
  const below = findings.filter(({ path }) => path.startsWith(`${first.path}/`));
  const unlisted = below.filter(({ errorCode }) => errorCode?.startsWith('enum.'));
  const [word] = unlisted;
  if (word) {
    // A form that fails before its word does not list it.
    const choices = fieldAt(policy, word.path)?.choices;
    if (choices && !choices.includes(valueAt(word.path, raw) as string)) return anyWord(word, choices);
    const isKnown = below.filter(({ path }) => path === word.path).length === 1;
    const fault = isKnown ? below.find(({ errorCode }) => !/^(enum|const)\./.test(errorCode ?? '')) : undefined;
    return fault ?? anyOf(unlisted.filter(({ path }) => path === word.path));
  }
  const here = findings.filter((finding) => finding.path === first.path && !isChoice(finding));
  const kinds = here.filter(({ errorCode }) => errorCode?.startsWith('type.'));
  // A list or an object that is no word of a form is of another kind.
  const ofItsKind = here.filter(
    (finding) => !kinds.includes(finding) && !(typeof value === 'object' && finding.errorCode?.startsWith('enum.')),
  );
  const nearest = ofItsKind[0] ?? below.toSorted((a, b) => compareReach(b, a))[0];
  return nearest ? { ...nearest, readAs: { path: first.path, value } } : anyKind(kinds);
}

/** Compares how far two forms have fitted a value, by the places where they failed. */
function compareReach(a: Finding, b: Finding): number {
  const [ofA, ofB] = [a, b].map(({ path }) => path.split('/'));
  for (const [at, step] of ofA!.entries()) {
    if (ofB![at] === undefined) return 1;
    if (step !== ofB![at]) return Number(step) - Number(ofB![at]) || 0;
  }
  return ofA!.length - ofB!.length;
}

/** Returns one violation that lists the kinds of all forms. */
function anyKind(kinds: readonly Finding[]): Finding {
  const start = 'must be ';
  const names = kinds.flatMap(({ message }) => message.slice(start.length).split(','));
  return { ...kinds[0]!, message: start + [...new Set(names)].join(',') };
}

/** How the validator begins to list values. */
const startOfValues = 'must be equal to one of the allowed values: ';

/** Returns one violation that lists the choices of several forms, because any of them would do. */
function anyOf(unlisted: readonly Finding[]): Finding {
  return anyWord(
    unlisted[0]!,
    unlisted.map(({ message }) => message.slice(startOfValues.length)),
  );
}

/** Returns the violation of a word, which lists all that it may be. */
function anyWord(word: Finding, choices: readonly string[]): Finding {
  return { ...word, message: `${startOfValues}${choices.join(', ')}` };
}

function codeOf(operationId: OperationId, policy: OperationPolicy, first: Finding): ErrorCode {
  const codes = fieldAt(policy, first.path)?.codes;
  if (!codes) {
    if (first.path.startsWith('/body') || isNamelessField(first)) return 'INVALID_BODY';
    throw new Error(`The contract names no code for ${first.path} of ${operationId}: ${first.message}`);
  }
  const keyword = first.errorCode?.split('.')[0];
  return (keyword && codes[keyword]) || codes.default;
}

/** Returns the prefix of the rule that an error is about. Undefined if the prefix is not text or is too long. */
function rulePrefixAt(path: string, body: unknown): string | undefined {
  const [, index] = /^\/body\/rules\/([0-9]+)\//.exec(path) ?? [];
  if (index === undefined) return undefined;
  const { prefix } = (body as { readonly rules: ReadonlyArray<{ readonly prefix?: unknown }> }).rules[Number(index)]!;
  if (typeof prefix !== 'string' || prefix.length > maxListPrefixBytes) return undefined;
  return path.endsWith('/prefix') || prefix.endsWith('/') ? prefix : `${prefix}/`;
}
