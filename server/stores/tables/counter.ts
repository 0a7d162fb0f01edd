/** The sum of a value over some rows. */
export interface Sum {
  /** A column, or `1` to count the rows. */
  readonly value: string;
  readonly of: string;
  /** Which rows, without the name of their table in front: SQL over them and the row of the counter. */
  readonly where: string;
}

/** A counter, and the sums that it stands for. Several features may have sums of one counter. */
export interface Counter {
  readonly table: string;
  /** The column that identifies a row of this table. */
  readonly key: string;
  readonly column: string;
  readonly sums: readonly Sum[];
  /** A condition for the rows that have it. */
  readonly where?: string;
}

/** Returns a counter of accounts that is the sum over rows of another table. @param which of these; default: all */
export function ofAccounts(column: string, value: string, of: string, which?: string): Counter {
  const where = ['account_id = accounts.account_id', ...(which === undefined ? [] : [which])].join(' AND ');
  return { table: 'accounts', key: 'account_id', column, sums: [{ value, of, where }] };
}
