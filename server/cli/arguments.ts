import { InvalidArgumentError } from 'commander';

import { parsePrefix, type Prefix } from '#server/domain/prefixes.ts';
import { everyScope, isScope, scopes, type Scope } from '#server/domain/access/scope.ts';
import { isLabel } from '#server/domain/account/label.ts';
import { maxQuotaBytes } from '#server/domain/account/set-quota.ts';
import { maxAiTokensPerDay } from '#server/domain/chat/plan-limits.ts';
import { expiresAtMs, parseDuration } from '#server/domain/duration.ts';
import { isPlan, plans, type Plan } from '#server/domain/plan.ts';

/** Parsers of the command-line arguments. Each one throws `InvalidArgumentError` with a message for the operator. */

/** @see openapi/operations/account/createKey.yaml */
const maxResources = 50;
const maxPrefixes = 20;

export function parseAccountId(text: string): string {
  if (!/^[0-9]{18}$/.test(text)) throw new InvalidArgumentError('An account id has 18 digits.');
  return text;
}

export function parseAppId(text: string): string {
  if (!/^[!-~]{1,64}$/.test(text))
    throw new InvalidArgumentError('An application id is 1 to 64 characters, as "cubby app list" shows it.');
  return text;
}

export function parseLabel(text: string): string {
  if (!isLabel(text)) throw new InvalidArgumentError('A name is 1 to 64 printable characters.');
  return text;
}

export function parsePlan(text: string): Plan {
  if (!isPlan(text)) throw new InvalidArgumentError(`"${text}" is not a plan. The plans are ${plans.join(', ')}.`);
  return text;
}

/** Parses a quota. `none` means the plan's quota: `null`. */
export function parseQuota(text: string): number | null {
  if (text === 'none') return null;
  const isWhole = /^(0|[1-9][0-9]*)$/.test(text);
  if (!isWhole || Number(text) > maxQuotaBytes)
    throw new InvalidArgumentError(
      `A quota is a whole number of bytes up to ${maxQuotaBytes}, or "none" for the plan's quota.`,
    );
  return Number(text);
}

/** Parses an AI budget. `none` means the plan's budget: `null`. */
export function parseAiBudget(text: string): number | null {
  if (text === 'none') return null;
  const isWhole = /^[1-9][0-9]*$/.test(text);
  if (!isWhole || Number(text) > maxAiTokensPerDay)
    throw new InvalidArgumentError(
      `A budget is a whole number of tokens a day from 1 to ${maxAiTokensPerDay}, or "none" for the plan's budget.`,
    );
  return Number(text);
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

function entriesOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
