import { isAtLeast, type Plan } from '#server/domain/plan.ts';
import type { Space } from '#server/domain/object-id.ts';

/** The parts of an update that move a file. `expire` is any new expiry, including null. */
export type VisibilityEvent = 'private: true' | 'private: false' | 'expire';

/** One row of the table "Object visibility". */
export interface VisibilityRow {
  readonly state: Space;
  readonly event: VisibilityEvent;
  /** The lowest plan that allows it. Default: every plan. */
  readonly plan?: Plan;
  readonly next: Space;
}

/**
 * The space in which an update puts a file. If a row leads from `public` or `legacy` to `private`, the CDN drops the
 * public copy before the response. Legacy files are public, and every row brings them to the current storage.
 *
 * @see openapi/operations/files/updateObjects.yaml
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

/** Returns the state after these events, one after another. Undefined if the plan does not allow one of them. */
export function visibilityAfter(state: Space, events: readonly VisibilityEvent[], plan: Plan): Space | undefined {
  let current = state;
  for (const event of events) {
    const row = visibilityRows.find((one) => one.state === current && one.event === event)!;
    if (row.plan !== undefined && !isAtLeast(plan, row.plan)) return undefined;
    current = row.next;
  }
  return current;
}

/** Whether the public host stops serving a file by this change of its space. */
export function isHidden(before: Space, after: Space): boolean {
  return before !== 'private' && after === 'private';
}
