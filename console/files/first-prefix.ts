import { accountSession } from '../app/session-state.ts';

/** Returns the prefix that a list begins with. A key that is restricted to prefixes must name one of its own. */
export function firstPrefix(): string {
  const prefixes = accountSession().prefixes;
  return prefixes?.[0] === undefined ? '' : `${prefixes[0].replace(/\/$/, '')}/`;
}
