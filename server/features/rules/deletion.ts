/** Whether a rule deletes files by their age: never, not yet, or now. */
export type DeletionState = 'off' | 'waiting' | 'acting';

/** The events of a rule. "Unchanged" means that every option is as it was. */
export type DeletionEvent = 'saved' | 'saved again unchanged' | '24 hours have passed';

/** One row of the table "Prefix rule deletion". */
interface DeletionRow {
  readonly state: DeletionState;
  readonly event: DeletionEvent;
  readonly next: DeletionState;
  /** Whether the rule gets a new date, from which the 24 hours count. */
  readonly isDatedAnew: boolean;
}

/**
 * The states of automatic deletion. A rule without `delete_after_days` is off as soon as it is saved. A rule that is
 * removed and saved again starts anew.
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

/** Returns the row for an event, or undefined if nothing happens. */
export function deletionRow(state: DeletionState, event: DeletionEvent): DeletionRow | undefined {
  return deletionRows.find((row) => row.state === state && row.event === event);
}
