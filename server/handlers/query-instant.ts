import { shownValue } from '#server/domain/error-value.ts';
import { parseInstant } from '#server/domain/parse-instant.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** Reads an instant of a query. Returns undefined for a date that does not exist. */
export function instantIn(text: string): number | undefined {
  // A `+` that the client did not encode arrives as a space.
  return parseInstant(text.replace(' ', '+'));
}

/**
 * Reads an instant that a query may leave out.
 *
 * @param code thrown for a date that does not exist
 */
export function queryInstant(text: string | undefined, code: Refusal['code']): number | undefined {
  if (text === undefined) return undefined;
  const instant = instantIn(text);
  if (instant === undefined) throw new Refusal(code, { detail: `Got ${shownValue(text)}.` });
  return instant;
}
