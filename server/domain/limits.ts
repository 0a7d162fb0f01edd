import { dayMs } from './day.ts';

/**
 * Sizes and counts that the specification fixes and no schema of the contract contains. Those of one feature are in its
 * folder. All sizes are bytes.
 */

/** A single upload takes 512 bytes to 100 MB, which is 100 × 2^20. */
export const minUploadBytes = 512;
export const maxUploadBytes = 104_857_600;

/** JSON bodies. */
export const maxJsonBodyBytes = 1_048_576;
export const maxJsonDepth = 32;

/**
 * Values in one JSON body, so that checking it takes a bounded time. 10,000 messages of a conversation fit if each is a
 * text, and some 8,000 if each has a block. Other bodies have some hundreds of values.
 */
export const maxJsonValues = 50_000;

/** Fields in one form. The contract's largest has four. */
export const maxFormFields = 100;

/** Keys and values together. */
export const maxMetadataKeys = 5;
export const maxMetadataBytes = 512;

/** The filter of a list, which is any beginning of a key. */
export const maxListPrefixBytes = 1024;

/** Live API keys of one account. */
export const maxLiveKeys = 10;

/** A part of a chunked upload. */
export const minPartBytes = 5_242_880;
export const maxPartBytes = 33_554_432;

/** A part of an upload whose completion lists its parts: 5 GiB. */
export const maxListedPartBytes = 5 * 1_073_741_824;

/** The time after which a chunked upload without a new part is aborted. */
export const chunkedUploadIdleMs = dayMs;

/** Files up to this size are stored in the database, so that they share its group commit. */
export const maxInlineBytes = 16_384;

/**
 * Bytes of unannounced length are written before it is known whether they all fit. They may exceed an account's quota
 * by this much. Otherwise parallel uploads would reject each other for reserved space that none of them fills. Such
 * bytes are counted in steps.
 */
export const maxInFlightExcessBytes = 16 * 1_048_576;
export const inFlightStepBytes = 1_048_576;

/**
 * The bytes of an account that may replace stored ones at the same time, however small its quota is. A new version is
 * stored beside the earlier one for a moment. This is the size of six parts.
 */
export const maxReplacingBytes = 6 * maxPartBytes;

/** Failed credentials from one address. */
export const failedCredentials = { limit: 30, windowMs: 60_000, blockMs: 300_000 } as const;

/** How long activity is kept: 90 days. */
export const activityKeptMs = 90 * dayMs;

/** A sign-in at the approval page ends after an hour. */
export const sessionLifetimeMs = 3_600_000;

/** A session of the console ends 12 hours after its sign-in, or after 30 days if it is to be remembered. */
export const browserSessionMs = 12 * 3_600_000;
export const rememberedSessionMs = 30 * dayMs;

/** Sessions of one key. A further one ends its oldest. */
export const maxBrowserSessions = 50;

/** Random characters in the cookie of a session: 238 bits. */
export const sessionSecretLength = 40;

/** The part of a browser's description of itself that its session keeps. */
export const maxUserAgentCharacters = 200;

export const gibibyte = 1_073_741_824;

/** How long the pass for a link's password lasts: an hour. */
export const sharePassMs = 3_600_000;

/** How long a deleted account can be restored. Then a job removes it with everything that it has. */
export const deletedAccountsKeptMs = 7 * dayMs;
