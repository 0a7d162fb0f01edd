/**
 * Multiplies PostgreSQL's time limits in tests of other things. With 64 requests at once on a busy machine, the last
 * one waits longer than the product allows.
 */
export const relaxed = 10;

/** The options of a test that measures a limit of the product, because a busy machine delays each run. */
export const bestOfThree = { retry: 2 } as const;
