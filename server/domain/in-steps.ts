/**
 * Reads rows in steps, until one has fewer than the limit.
 *
 * @param read returns the rows behind the last one of the step before; at first, those at the beginning
 */
export async function* inSteps<Row>(
  limit: number,
  read: (behind: Row | undefined, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let behind: Row | undefined;
  for (let isAtEnd = false; !isAtEnd;) {
    const rows: readonly Row[] = await read(behind, limit);
    isAtEnd = rows.length < limit;
    behind = rows.at(-1);
    yield rows;
  }
}
