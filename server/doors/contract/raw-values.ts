import type { OperationPolicy, ParameterPolicy } from '#server/pipeline/operation-policy.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { malformedValue, type RawQuery } from '#server/http/query.ts';
import { parameterDetails, type ParameterFault } from './field-messages.ts';

/** A request as it was sent, before validation. */
export interface RawInput {
  readonly pathname: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  /** Parsed JSON, or the fields of a form. Undefined where the operation takes neither. */
  readonly body: unknown;
}

/**
 * The refusal of the first query field whose raw text is refused, and the validator's paths of the fields before it.
 */
interface RefusedField {
  readonly refusal: Refusal;
  readonly earlier: ReadonlySet<string>;
}

/**
 * Returns the declared query parameters, each given once and as text of the right form. A parameter with `only` is left
 * out when it has another value. Stops at the first refused one, because the validator may refuse one before it.
 */
export function rawValues(
  fields: OperationPolicy['queryFields'],
  query: RawQuery,
): { readonly values: Record<string, string>; readonly refused?: RefusedField } {
  const values: Record<string, string> = {};
  const earlier = new Set<string>();
  for (const [name, field] of Object.entries(fields)) {
    const given = query.get(name);
    const isIgnored = field.only !== undefined && !(given?.length === 1 && field.only.includes(given[0]!));
    try {
      if (given && !isIgnored) values[name] = checkRaw(name, field, given);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { values, refused: { refusal: error, earlier } };
    }
    earlier.add(`/query/${name}`);
  }
  return { values };
}

/**
 * Checks the raw text of a parameter, because the validator coerces generously (`1e3`, ` 7 `, an array of one). Returns
 * the text in the form that the validator takes for booleans.
 */
function checkRaw(name: string, field: ParameterPolicy, values: readonly string[]): string {
  const refuse = (fault: ParameterFault, keyword: 'default' | 'minimum' | 'maximum' = 'default') => {
    const code = field.codes?.[keyword] ?? field.codes?.default ?? 'INVALID_BODY';
    return new Refusal(code, parameterDetails(code, fault, { name, field, values }));
  };
  const [value] = values;
  if (values.length !== 1 || value === undefined) throw refuse('repeated');
  if (value === '' && !field.mayBeEmpty) throw refuse('empty');
  if (value === malformedValue || (value.includes('\u0000') && !field.dropsControls)) throw refuse('not-text');
  if (field.kind === 'integer') {
    if (!/^(?:0|[1-9][0-9]{0,15})$/.test(value)) throw refuse('value');
    const { minimum = 1, maximum = Infinity } = field;
    if (Number(value) < minimum) throw refuse('value', 'minimum');
    if (Number(value) > maximum) throw refuse('value', 'maximum');
  }
  if (field.kind === 'boolean') {
    if (value === 'true' || value === '1') return 'true';
    if (value === 'false' || value === '0') return 'false';
    throw refuse('value');
  }
  return value;
}

/** Checks a path parameter. A path that cannot be read gets the same response as one that leads nowhere. */
export function checkPath(field: ParameterPolicy, value: string): void {
  try {
    checkRaw('path', field, [value]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code);
  }
}
