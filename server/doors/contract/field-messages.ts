import type { ErrorCode } from '#generated/errors.ts';
import { policies } from '#generated/policies.ts';
import type { FieldPolicy, OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { RefusalDetails } from '#server/domain/refusal.ts';
import { got, kindOfValue, shownName } from '#server/domain/error-value.ts';
import { nearestName } from './nearest-name.ts';

/** One violation, as the validator reports it: `/query/name`, `pattern.openapi.validation`. */
export interface Finding {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
  /** Set if a value has several forms: the value, for which the form of its kind is described. */
  readonly readAs?: { readonly path: string; readonly value: unknown };
}

/** Codes for the body as a whole. Their standard message names no field, so the finding's text replaces it. */
const structural: ReadonlySet<ErrorCode> = new Set([
  'INVALID_BODY',
  'invalid_body',
  'invalid_request',
  'INVALID_DESTINATION',
  'INVALID_RULES',
  'INVALID_IMAGE_PRESETS',
]);

/** Codes whose range depends on the operation. Their standard message cannot name it. */
const ofSeveralRanges = codesOfSeveralRanges(Object.values(policies));

function codesOfSeveralRanges(all: readonly OperationPolicy[]): ReadonlySet<ErrorCode> {
  const fields = all.flatMap(({ queryFields, bodyFields }): FieldPolicy[] => [
    ...Object.values(queryFields),
    ...Object.values(bodyFields),
  ]);
  const ranged = fields.filter(({ codes, minimum, maximum }) => codes && (minimum ?? maximum) !== undefined);
  const ranges = Map.groupBy(ranged, ({ codes }) => codes!.default);
  return new Set(
    [...ranges]
      .filter(([, same]) => new Set(same.map(({ minimum, maximum }) => `${minimum} ${maximum}`)).size > 1)
      .map(([code]) => code),
  );
}

/**
 * Returns the details of a refusal: the field, the rule it breaks, and the value. A secret's value is left out.
 *
 * @param value as it was sent. Undefined when it is missing
 */
export function fieldDetails(
  code: ErrorCode,
  finding: Finding,
  field: FieldPolicy | undefined,
  value: unknown,
): RefusalDetails {
  const place = placeOf(finding.path);
  const isRepeatable = !field?.isSecret;
  const rule = ruleOf(finding, field) ?? (structural.has(code) ? patternRule(finding) : undefined);
  const gotText = gotOf(finding, value, isRepeatable);
  const text =
    rule === undefined
      ? undefined
      : `${formOf(finding)}${place === '' ? 'The body' : `\`${place}\``} ${rule}.${gotText}`;
  if (text !== undefined && (structural.has(code) || ofSeveralRanges.has(code))) return { message: text };
  // The code's standard message already says what the field allows.
  const isSaid =
    value !== undefined &&
    !isNested(finding.path) &&
    ['pattern', 'enum', 'minimum', 'maximum', 'format'].includes(keywordOf(finding) ?? '');
  if (isSaid || text === undefined)
    return isRepeatable && value !== undefined ? { detail: `${got(value).slice(0, -1)} for \`${place}\`.` } : {};
  return { detail: text };
}

/**
 * Says that a body has a field that it may not have, and which one was probably meant. The value is not repeated,
 * because it may be a secret.
 *
 * @param known the names of the fields that may stand there
 */
export function unknownFieldMessage(finding: Finding, known: readonly string[]): string {
  const [, name = ''] = /([^/]*)$/.exec(finding.path) ?? [];
  return `\`${placeOf(finding.path)}\` is not a known field. The nearest one is \`${nearestName(name, known)}\`.`;
}

/**
 * Returns a sentence that shows what was sent: its length, its kind or the value itself, depending on the broken rule.
 * It is empty for a missing value. For a secret it shows at most the length.
 */
function gotOf(finding: Finding, value: unknown, isRepeatable: boolean): string {
  if (value === undefined) return '';
  const keyword = keywordOf(finding) ?? '';
  if (/^(min|max)(Items|Length)$/.test(keyword) && (typeof value === 'string' || Array.isArray(value)))
    return ` Got ${value.length}.`;
  if (!isRepeatable) return '';
  return keyword === 'type' ? ` Got ${kindOfValue(value)}.` : ` ${got(value)}`;
}

/** Says which of several forms is described. A text is sufficiently described by its rule. */
function formOf({ readAs }: Finding): string {
  if (!readAs || typeof readAs.value !== 'object') return '';
  return `\`${placeOf(readAs.path)}\` was read as ${kindOfValue(readAs.value)}. `;
}

/** What can be wrong with the raw text of a query parameter. */
export type ParameterFault = 'repeated' | 'empty' | 'not-text' | 'value';

/** A query parameter as it was sent. */
interface SentParameter {
  readonly name: string;
  readonly field: FieldPolicy;
  readonly values: readonly string[];
}

/** Returns the details of a refusal for the raw text of a query parameter. */
export function parameterDetails(
  code: ErrorCode,
  fault: ParameterFault,
  { name, field, values }: SentParameter,
): RefusalDetails {
  if (fault === 'repeated') return { detail: `\`${name}\` is given ${values.length} times. Send it once.` };
  if (fault === 'empty') return { detail: `\`${name}\` is empty. Send a value, or leave it out.` };
  if (fault === 'not-text') return { detail: `\`${name}\` is not percent-encoded UTF-8 without NUL.` };
  if (field.minimum === undefined || !ofSeveralRanges.has(code))
    return { detail: `${got(values[0]).slice(0, -1)} for \`${name}\`.` };
  return { message: `\`${name}\` must be ${rangeOf(field)}. ${got(asNumber(values[0]!))}` };
}

/**
 * Returns a whole number of up to 15 digits as a number, which a message shows without quotes. Returns other text as it
 * is.
 */
function asNumber(text: string): number | string {
  return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
}

function keywordOf({ errorCode }: Finding): string | undefined {
  return errorCode?.split('.')[0];
}

function isNested(path: string): boolean {
  return path.startsWith('/body/') && path.split('/').length > 3;
}

/** Returns the place as messages name it: `/body/objects/3` is `objects[3]`, and the body itself is the empty text. */
function placeOf(path: string): string {
  const [, , ...steps] = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps
    .map((step, index) => (/^[0-9]+$/.test(step) ? `[${step}]` : `${index > 0 ? '.' : ''}${shownName(step)}`))
    .join('');
}

function rangeOf({ minimum = -Infinity, maximum = Infinity, isInteger = true }: FieldPolicy): string {
  const number = isInteger ? 'a whole number' : 'a number';
  if (maximum === Infinity) return `${number} of at least ${minimum}`;
  return `${number} from ${minimum} to ${maximum}`;
}

/**
 * The most allowed values that a message lists. If a field has more, only the code's standard message describes them.
 */
const maxListedValues = 8;

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** Returns the pattern that a text must match. Codes of a single field describe the form in their own message. */
function patternRule({ message }: Finding): string | undefined {
  const [, pattern] = /^must match pattern "(.*)"$/.exec(message) ?? [];
  return pattern && `must match ${pattern}`;
}

function unitOf(unit: string, count: string): string {
  const plural = unit === 'properties' ? 'fields' : unit;
  return count === '1' ? plural.replace(/s$/, '') : plural;
}

/** Returns the broken rule, worded to follow the field's name. Undefined when the code's own message says it best. */
function ruleOf(finding: Finding, field: FieldPolicy | undefined): string | undefined {
  const keyword = keywordOf(finding);
  if (keyword === 'required') return 'is missing';
  if (field?.minimum !== undefined && ['type', 'minimum', 'maximum', 'multipleOf'].includes(keyword ?? ''))
    return `must be ${rangeOf(field)}`;
  if (keyword === 'type') {
    const isBody = finding.path === '/body';
    const nameOf = (kind: string) => (isBody && kind === 'object' ? 'a JSON object' : (kinds[kind] ?? kind));
    const names = finding.message
      .replace(/^must be /, '')
      .split(',')
      .map(nameOf);
    return `must be ${names.join(' or ')}`;
  }
  const [, bound, count, unit] =
    /^must NOT have (fewer|more) than ([0-9]+) (items|characters|properties)$/.exec(finding.message) ?? [];
  if (bound !== undefined)
    return `must have at ${bound === 'fewer' ? 'least' : 'most'} ${count} ${unitOf(unit!, count!)}`;
  const [, allowed] = /^must be equal to one of the allowed values: (.*)$/.exec(finding.message) ?? [];
  if (allowed !== undefined && allowed.split(', ').length <= maxListedValues)
    return `must be one of ${allowed
      .split(', ')
      .map((value) => JSON.stringify(value))
      .join(', ')}`;
  if (keyword === 'uniqueItems') return 'must not name anything twice';
  return undefined;
}
