import { InvalidArgumentError } from 'commander';

import { parsePrefix, type Prefix } from '#server/domain/prefixes.ts';
import { everyScope, isScope, scopes, type Scope } from '#server/domain/access/scope.ts';
import { parseSize } from '#server/config/values.ts';
import { isLabel } from '#server/domain/account/label.ts';
import { maxQuotaBytes } from '#server/domain/account/change-account.ts';
import { expiresAtMs, parseDuration } from '#server/domain/duration.ts';
import { plans } from '#server/domain/plan.ts';

/** Parsers of the command-line arguments. Each one throws `InvalidArgumentError` with a message for the operator. */

/** @see openapi/operations/account/createKey.yaml */
const maxResources = 50;
const maxPrefixes = 20;

export const parseAccountId = textThat((text) => /^[0-9]{18}$/.test(text), 'An account id has 18 digits.');

export const parseLabel = textThat(isLabel, 'A name is 1 to 64 printable characters.');

/** Returns a parser that accepts a text for which `isValid` holds. */
export function textThat(isValid: (text: string) => boolean, message: string): (text: string) => string {
  return (text) => {
    if (!isValid(text)) throw new InvalidArgumentError(message);
    return text;
  };
}

/** Returns a parser that accepts one of several words. */
export function oneOf<T extends string>(choices: readonly T[], noun: string): (text: string) => T {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (!found) throw new InvalidArgumentError(`"${text}" is not a ${noun}. The ${noun}s are ${choices.join(', ')}.`);
    return found;
  };
}

export const parsePlan = oneOf(plans, 'plan');

/** Parses the text to search accounts for. */
export const parseSearch = textThat(
  (text) => text.length >= 1 && text.length <= 64,
  'A text to search for has 1 to 64 characters.',
);

/** Parses how often a list is shown again, into milliseconds. */
export function parseWatch(text: string): number {
  const seconds = /^[0-9]{1,4}(\.[0-9])?$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return seconds * 1000;
  throw new InvalidArgumentError('An interval is a number of seconds above 0, such as 2 or 0.5.');
}

/** Parses a quota. `none` means the plan's quota: `null`. */
export function parseQuota(text: string): number | null {
  if (text === 'none') return null;
  const bytes = parseSize(text);
  if (bytes !== undefined && bytes <= maxQuotaBytes) return bytes;
  throw new InvalidArgumentError(
    `A quota is a size such as 10GB or 500GiB, or a whole number of bytes up to ${maxQuotaBytes}, ` +
      `or "none" for the plan's quota.`,
  );
}

/** Parses a list of scopes. A repeated option adds to the list. */
export function parseScopes(text: string, before: readonly Scope[] = []): readonly Scope[] {
  const given = [...before];
  for (const scope of entriesOf(text)) {
    if (!isScope(scope))
      throw new InvalidArgumentError(
        `"${scope}" is not a scope. The scopes are ${scopes.join(', ')}, joined by commas, or "${everyScope}" alone.`,
      );
    given.push(scope);
  }
  const wanted = distinct(given);
  if (wanted.length > 1 && wanted.includes(everyScope))
    throw new InvalidArgumentError(`"${everyScope}" means all scopes and must stand alone.`);
  return wanted;
}

export function parseResources(text: string, before: readonly string[] = []): readonly string[] {
  const resources = distinct([...before, ...entriesOf(text)]);
  if (resources.length > maxResources || !resources.every((one) => /^[!-~]{1,64}$/.test(one))) {
    throw new InvalidArgumentError(`Resources are 1 to ${maxResources} application ids, joined by commas.`);
  }
  return resources;
}

export function parsePrefixes(text: string, before: readonly Prefix[] = []): readonly Prefix[] {
  const prefixes = entriesOf(text).map((entry) => {
    const prefix = parsePrefix(entry);
    if (prefix === undefined)
      throw new InvalidArgumentError(
        'A prefix is 1 to 8 folders joined by "/", each of up to 64 letters, digits, "_", "." and "-".',
      );
    return prefix;
  });
  const all = distinct([...before, ...prefixes]);
  if (all.length > maxPrefixes) throw new InvalidArgumentError(`A key takes up to ${maxPrefixes} prefixes.`);
  return all;
}

/** Parses a lifetime into milliseconds. */
export function parseLifetime(text: string): number {
  const duration = /[dh]$/.test(text) ? parseDuration(text) : undefined;
  if (!duration) throw new InvalidArgumentError('A lifetime is days or hours, such as 90d or 12h, from 1h to 1825d.');
  return expiresAtMs(duration, 0);
}

/** Parses an ISO 8601 time into milliseconds since the epoch. */
export function parseInstant(text: string): number {
  const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?$/;
  const instant = form.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(instant))
    throw new InvalidArgumentError(
      'A time is an ISO 8601 date, or one with a time and Z or an offset, such as 2026-04-21T09:30:00Z.',
    );
  // JavaScript reads 31 February as 3 March, and a wrong deletion cannot be undone.
  const day = text.slice(0, 10);
  if (new Date(day).toISOString().slice(0, 10) !== day)
    throw new InvalidArgumentError(`${day} is not a day of the calendar.`);
  return instant;
}

function entriesOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
