import { banner, print, type Json } from './document.ts';

/** Prints the names of what the server records and grants, as the contract lists them. */
export function printVocabulary({ components: { schemas } }: Json): string {
  const list = (values: readonly string[]) => `[\n${values.map((value) => `  ${print(value)},\n`).join('')}] as const`;
  const union = (values: readonly string[]) => values.map((value) => `\n  | ${print(value)}`).join('');
  return `${banner}/** All scopes that a key can be given. */
export const scopes = ${list(schemas.ApiKeyScopes.oneOf[1].items.enum)};

/** The kinds of activity in an account. */
export type ActivityType =${union(schemas.ActivityType.enum)};

/** The kinds of actions that the audit log records. */
export type AuditAction =${union(schemas.AuditAction.enum)};

/** The types of events. */
export const eventTypes = ${list(schemas.EventType.enum)};

export type EventType = (typeof eventTypes)[number];
`;
}
