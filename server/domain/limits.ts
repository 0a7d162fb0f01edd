/** Sizes and counts that the description fixes and that no contract schema carries. All sizes are bytes. */

/** A single upload takes 512 bytes to 100 MB, which is 100 × 2^20. */
export const minUploadBytes = 512;
export const maxUploadBytes = 104_857_600;

/** JSON bodies. */
export const maxJsonBodyBytes = 1_048_576;
export const maxJsonDepth = 32;

/** Values in one JSON body; what the contract's largest bodies need is some hundreds. */
export const maxJsonValues = 50_000;

/** Fields in one form; the contract's largest has four. */
export const maxFormFields = 100;

/** Keys and values together. */
export const maxMetadataKeys = 5;
export const maxMetadataBytes = 512;

/** Options pinned by one upload token, as JSON. */
export const maxPinnedBytes = 2048;

/** A list filter is any leading part of a key. */
export const maxListPrefixBytes = 1024;

/** Live API keys of one account. */
export const maxLiveKeys = 10;

/** A chunked upload and its parts. */
export const maxChunkedUploadBytes = 10_737_418_240;
export const minPartBytes = 5_242_880;
export const maxPartBytes = 33_554_432;
export const maxParts = 2048;
export const maxOpenUploads = 32;

/** A part of an upload whose completion lists its parts: 5 GiB. */
export const maxListedPartBytes = 5 * 1_073_741_824;

/** Without a new part for so long, a chunked upload is aborted; so long it is remembered once it is closed. */
export const chunkedUploadIdleMs = 86_400_000;
export const chunkedUploadKeptMs = 86_400_000;

/** Up to this size a completion always answers with the file's SHA-256. */
export const maxHashedAtOnceBytes = 67_108_864;

/** Files up to this size lie in the database itself, so that they share its group commit. */
export const maxInlineBytes = 16_384;

/**
 * Bytes whose length nobody has announced are written before it is known whether all of them fit. An account's may pass
 * the room that its quota leaves by so much, so that uploads side by side do not keep each other out of room that none
 * of them fills in the end; and they are counted in steps.
 */
export const maxUnsettledBytes = 16 * 1_048_576;
export const unsettledStepBytes = 1_048_576;

/**
 * A part that is sent again lies on the disk beside its earlier version for a moment: so many bytes of an account,
 * which is all six parts at a time.
 */
export const maxReplacingBytes = 6 * maxPartBytes;

/** Requests of an account that bring bytes over S3 at once: files, parts, forms and copied parts. */
export const maxS3WritesAtOnce = 64;

/** Failed credentials from one address. */
export const failedCredentials = { limit: 30, windowMs: 60_000, blockMs: 300_000 } as const;

/** How long activity is kept: 90 days. */
export const activityKeptMs = 90 * 86_400_000;

/** Paths of one application that keep their name on one day, and how long errors of its edge are kept: 400 days. */
export const maxEdgePathsPerDay = 1000;
export const edgeErrorsKeptMs = 400 * 86_400_000;

/**
 * The payload of a git push, as JSON: how deep, and how many values in the fields that are read. Its size stands in the
 * contract.
 */
export const pushPayload = { maxDepth: 32, maxValues: 30_000 } as const;

/** Branches of one push that are deployed. */
export const maxPushedBranches = 100;

/** For so long a delivery of a git host that comes again is known. GitHub lets people redeliver for 3 days. */
export const deliveriesKnownMs = 30 * 86_400_000;

/** How far the signed time of a delivery may be from now, either way. @see https://www.standardwebhooks.com */
export const signedDeliveryToleranceMs = 5 * 60_000;

/** A deploy belongs to its runner for so long after each sign of life; and how often a runner gives one. */
export const deployLeaseMs = 30_000;
export const deployHeartbeatMs = 10_000;

/** A repository is cloned within so long, or the deploy is tried again. */
export const deployCloneMs = 600_000;

/**
 * How long a deploy waits after its first, second and third try, when its repository could not be read or its runner
 * has gone. The fourth is the last.
 */
export const deployBackoffMs: readonly number[] = [10_000, 60_000, 300_000];

/** What is kept of a deploy's output, and for how long after its end. */
export const maxDeployLogBytes = 1_048_576;
export const deployLogKeptMs = 90 * 86_400_000;

/**
 * Both codes of device approval; and how often its client may ask, growing each time that it asks too soon.
 * @see RFC 8628, section 3.5
 */
export const deviceCodeLifetimeMs = 900_000;
export const devicePollIntervalMs = 5_000;
export const deviceSlowDownMs = 5_000;

/** A key that a person approved: 90 days. */
export const deviceKeyLifetimeMs = 90 * 86_400_000;

/** For so long a client is told what became of its code after the code's time. */
export const endedCodesKeptMs = 86_400_000;

/** A sign-in at the approval page: an hour, or this many wrong codes. */
export const sessionLifetimeMs = 3_600_000;
export const maxWrongCodes = 5;

export const gibibyte = 1_073_741_824;

/** Active share links of one account. */
export const maxActiveShares = 1000;

/** Links in one list: all active ones, and as many of those whose downloads are spent. */
export const maxListedShares = 2 * maxActiveShares;

/** For how long a spent download has its allowance. */
export const allowanceMs = 15 * 60_000;

/**
 * The most that an allowance gives beyond the size of the file: more than the buffers between a server and its client
 * hold.
 */
export const maxResentBytes = 16_777_216;

/**
 * An answer takes its bytes from an allowance in steps of this size, so that it writes one row for each and holds
 * little that it may not send.
 */
export const allowanceStepBytes = 1_048_576;

/** The password of a link, once given, holds for an hour. */
export const sharePassMs = 3_600_000;

/** An answer that is still under way has taken bytes within this time, however slow its client is. */
export const spentDownloadsKeptMs = 86_400_000;

/** Expired upload tokens are kept for longer than any request that was let in before. */
export const uploadTokensKeptMs = 86_400_000;

/** For so long an expired link says that it has expired; afterwards it is unknown. */
export const endedSharesKeptMs = 30 * 86_400_000;

/**
 * Passwords that are tried, in a minute: wrong ones of one link and of one address; beyond those of the link a few
 * more, for the first tries of an address there; and all, right ones too, of an address and of an address at a link,
 * since each costs as much. And when delays begin for an address at a link, how they grow, and after how long without a
 * try they begin anew.
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

/** How long the usage of the AI gateway is kept, day by day: a year and what it takes to look back at it. */
export const chatUsageKeptMs = 400 * 86_400_000;

/** A request to the AI gateway takes no longer than this in all. */
export const completionDeadlineMs = 90_000;

/** Room in the AI gateway that is held for a request: far longer than the request, and its charge, can take. */
export const chatLeaseMs = 10 * 60_000;
