/** A store cannot be moved, or not yet. The message says why and what to do. Nothing was lost. */
export class StoreMoveRefused extends Error {
  override readonly name = 'StoreMoveRefused';
}

/**
 * Rows could not be written, because the target has an old form of another row with the same unique value. Noted
 * changes bring the new form.
 */
export class RowsConflict extends Error {
  override readonly name = 'RowsConflict';

  constructor(cause: unknown) {
    super('A row has the unique value of another row in the target.', { cause });
  }
}
