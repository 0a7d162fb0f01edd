/** Whether a rule deletes files by their age: it does not, it waits, or it acts. */
export type DeletionState = 'off' | 'waiting' | 'acting';

/** What happens to a rule. "Unchanged" means that every option is as it was. */
export type DeletionEvent = 'saved' | 'saved again unchanged' | '24 hours have passed';

/** One row of the table "Prefix rule deletion". */
export interface DeletionRow {
  readonly state: DeletionState;
  readonly event: DeletionEvent;
  readonly next: DeletionState;
  /** Whether the rule is dated now, from which the 24 hours count. */
  readonly isDatedAnew: boolean;
}

/**
 * When automatic deletion starts acting. Without `delete_after_days` a rule is off as soon as it is saved; one that is
 * removed is none, and counts from the start when it is saved again.
 */
export const deletionRows: readonly DeletionRow[] = [
  { state: 'off', event: 'saved', next: 'waiting', isDatedAnew: true },
  { state: 'off', event: 'saved again unchanged', next: 'off', isDatedAnew: false },
  { state: 'waiting', event: '24 hours have passed', next: 'acting', isDatedAnew: false },
  { state: 'waiting', event: 'saved again unchanged', next: 'waiting', isDatedAnew: false },
  { state: 'acting', event: 'saved again unchanged', next: 'acting', isDatedAnew: false },
  { state: 'waiting', event: 'saved', next: 'waiting', isDatedAnew: true },
  { state: 'acting', event: 'saved', next: 'waiting', isDatedAnew: true },
];

/** The row for an event; undefined where nothing happens. */
export function deletionRow(state: DeletionState, event: DeletionEvent): DeletionRow | undefined {
  return deletionRows.find((row) => row.state === state && row.event === event);
}
