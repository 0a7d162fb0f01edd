import { isAtLeast, type Plan } from '../plan.ts';
import type { Space } from '../object-id.ts';

/** What of an update concerns where a file lies. `expire` is any new expiry, null included. */
export type VisibilityEvent = 'private: true' | 'private: false' | 'expire';

/** One row of the table "Object visibility". */
export interface VisibilityRow {
  readonly state: Space;
  readonly event: VisibilityEvent;
  /** The condition: the least plan; without one every plan will do. */
  readonly plan?: Plan;
  readonly next: Space;
}

/**
 * Where an update brings a file. A row that leaves `public` or `legacy` for `private` drops the public copy before it
 * is answered. Legacy files are public, and every row brings them to the current storage.
 *
 * @see openapi/operations/objects/updateObjects.yaml
 */
export const visibilityRows: readonly VisibilityRow[] = [
  { state: 'public', event: 'private: true', next: 'private' },
  { state: 'private', event: 'private: false', plan: 'hobby', next: 'public' },
  { state: 'private', event: 'private: true', next: 'private' },
  { state: 'public', event: 'private: false', plan: 'hobby', next: 'public' },
  { state: 'legacy', event: 'private: true', next: 'private' },
  { state: 'legacy', event: 'private: false', plan: 'hobby', next: 'public' },
  { state: 'public', event: 'expire', plan: 'hobby', next: 'public' },
  { state: 'private', event: 'expire', plan: 'hobby', next: 'private' },
  { state: 'legacy', event: 'expire', plan: 'hobby', next: 'public' },
];

/** The state behind these events, one after another; undefined where the plan does not meet a condition. */
export function visibilityAfter(state: Space, events: readonly VisibilityEvent[], plan: Plan): Space | undefined {
  let current = state;
  for (const event of events) {
    const row = visibilityRows.find((one) => one.state === current && one.event === event)!;
    if (row.plan !== undefined && !isAtLeast(plan, row.plan)) return undefined;
    current = row.next;
  }
  return current;
}

/** Whether the public host has stopped serving a file that went from one state to the other. */
export function isHidden(before: Space, after: Space): boolean {
  return before !== 'private' && after === 'private';
}
