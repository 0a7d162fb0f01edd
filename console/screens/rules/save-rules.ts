import { getSettings, replaceSettings, type NewRule, type Settings } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { unsaved } from './rule-form.ts';

/** Thrown when a new rule would take the place of another one. */
export class RuleTaken extends Error {}

/**
 * Saves one rule. The whole list is read right before, so that rules which others changed meanwhile stay.
 *
 * @param before the prefix that the rule had, with its slash; undefined for a new one
 * @throws {ApiError}, {RuleTaken}
 */
export async function saveRule(rule: NewRule, before: string | undefined): Promise<Settings> {
  const { rules } = await ask(getSettings());
  const prefix = `${rule.prefix}/`;
  if (prefix !== before && rules.some((one) => one.prefix === prefix)) throw new RuleTaken();
  const others = rules.filter((one) => one.prefix !== before).map(unsaved);
  return ask(replaceSettings({ body: { rules: [...others, rule] } }));
}

/** @throws {ApiError} */
export async function removeRule(prefix: string): Promise<Settings> {
  const { rules } = await ask(getSettings());
  return ask(replaceSettings({ body: { rules: rules.filter((one) => one.prefix !== prefix).map(unsaved) } }));
}
