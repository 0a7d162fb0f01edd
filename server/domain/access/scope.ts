import { scopes } from '#generated/vocabulary.ts';

export { scopes };

/** Full access, including scopes that do not exist yet. */
export const everyScope = '*';

export type Scope = (typeof scopes)[number] | typeof everyScope;

export function isScope(text: string): text is Scope {
  return text === everyScope || (scopes as readonly string[]).includes(text);
}

/** Whether all of the wanted scopes are granted. */
export function grantsAll(granted: readonly Scope[], wanted: readonly string[]): boolean {
  return wanted.every((scope) => grantsAny(granted, [scope]));
}

/** Whether any of the wanted scopes is granted. An empty list is always granted. */
export function grantsAny(granted: readonly Scope[], wanted: readonly string[]): boolean {
  return (
    wanted.length === 0 ||
    granted.includes(everyScope) ||
    wanted.some((scope) => (granted as readonly string[]).includes(scope))
  );
}
