/** What a client says about the page that it wants of a list. */
export interface PageRequest {
  /** Rows on the page, at least 1. */
  readonly limit: number;
  /** Undefined for the first page. */
  readonly cursor: string | undefined;
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page. Undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * Cuts a page.
 *
 * @param found one more than the limit, if another page follows
 */
export function pageOf<Row>(found: readonly Row[], limit: number, cursorOf: (last: Row) => string): Page<Row> {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? cursorOf(rows.at(-1)!) : undefined };
}
