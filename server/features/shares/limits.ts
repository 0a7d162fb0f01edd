import { dayMs } from '#server/domain/day.ts';

/** Active share links of one account. */
export const maxActiveShares = 1000;

/** Files that a link to a folder leads to. */
export const maxBundleFiles = 10_000;

/** Links in one list: all active ones, and the same number of exhausted ones. */
export const maxListedShares = 2 * maxActiveShares;

/** How long the byte budget of a spent download lasts. */
export const byteBudgetMs = 15 * 60_000;

/**
 * The most bytes of a byte budget beyond the size of the file: more than the buffers between a server and its client
 * hold.
 */
export const maxResentBytes = 16_777_216;

/**
 * The step in which a response takes bytes from a byte budget. Each step writes one row. The smaller the step, the
 * fewer bytes are taken and not sent.
 */
export const byteBudgetStepBytes = 1_048_576;

/**
 * How long a spent download is stored after its last bytes were taken. Even the slowest response takes bytes within
 * this time.
 */
export const spentDownloadsKeptMs = dayMs;

/** How long requests for an expired link are told that it has expired. After that it is unknown. */
export const endedSharesKeptMs = 30 * dayMs;

/**
 * Tries of passwords in a minute.
 *
 * `perLink` and `perAddress` limit wrong tries. `reservePerLink` adds to `perLink` for an address with fewer than
 * `firstTries` wrong tries at the link. The `checks…` limit all tries, because right ones cost as much. After
 * `freeTries` wrong ones an address has to wait at a link. The delay doubles, and starts again after `forgottenMs`
 * without a try.
 */
export const passwordTries = {
  perLink: 60,
  perAddress: 30,
  reservePerLink: 20,
  firstTries: 2,
  checksPerAddress: 120,
  checksPerAddressAndLink: 30,
  windowMs: 60_000,
  freeTries: 3,
  firstDelayMs: 1000,
  maxDelayMs: 60_000,
  forgottenMs: 3_600_000,
} as const;
