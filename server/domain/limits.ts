import { dayMs } from './day.ts';

/** Sizes and counts that the specification fixes and no schema of the contract contains. All sizes are bytes. */

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

/**
 * Files whose texts one request to a model has, in bytes of all places that name them: as many as its body may have.
 * Writing several megabytes as JSON for the model's server would hold the event loop for longer than 50 ms.
 */
export const maxFileTextBytes = 1_048_576;

/** Fields in one form. The contract's largest has four. */
export const maxFormFields = 100;

/** Keys and values together. */
export const maxMetadataKeys = 5;
export const maxMetadataBytes = 512;

/** Options pinned by one upload token, as JSON. */
export const maxPinnedBytes = 2048;

/** The filter of a list, which is any beginning of a key. */
export const maxListPrefixBytes = 1024;

/** Live API keys of one account. */
export const maxLiveKeys = 10;

/** A chunked upload and its parts. */
export const maxChunkedUploadBytes = 10_737_418_240;
export const minPartBytes = 5_242_880;
export const maxPartBytes = 33_554_432;
export const maxParts = 2048;
export const maxOpenUploads = 32;

/** Open multipart uploads of one account over S3. Its clients open many at once, and leave them behind. */
export const maxOpenS3Uploads = 1000;

/**
 * Serial bytes are cut into parts of this size. Pieces below the smallest size of a whole part are merged until they
 * reach it, so that a file of 10 GiB has fewer than 2048 parts.
 */
export const cutPartBytes = 16 * 1_048_576;
export const leastCutPartBytes = 8 * 1_048_576;

/** The longest time for which serial bytes are only in memory, if their sender is slow. */
export const cutAfterMs = 10_000;

/** How long a newer request waits for an older one on the same upload to store what it has. */
export const writerHandoverMs = 10_000;

/** A part of an upload whose completion lists its parts: 5 GiB. */
export const maxListedPartBytes = 5 * 1_073_741_824;

/**
 * The time after which a chunked upload without a new part is aborted, and the time for which a closed one is
 * remembered.
 */
export const chunkedUploadIdleMs = dayMs;
export const chunkedUploadKeptMs = dayMs;

/** Up to this size a completion always returns the file's SHA-256. */
export const maxHashedAtOnceBytes = 67_108_864;

/**
 * How long a presigned address of the bucket is valid, and the least time that a client gets to use it. A response that
 * has begun goes on. Caches keep the redirect to it for at most half as long.
 */
export const presignedSeconds = 120;
export const leastPresignedSeconds = 10;

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

/** Simultaneous S3 requests of an account that store bytes: files, parts, forms and copied parts. */
export const maxS3WritesAtOnce = 64;

/** Failed credentials from one address. */
export const failedCredentials = { limit: 30, windowMs: 60_000, blockMs: 300_000 } as const;

/** How long activity is kept: 90 days. */
export const activityKeptMs = 90 * dayMs;

/**
 * The number of paths of an application that keep their name on one day, and how long errors of the edge are stored:
 * 400 days.
 */
export const maxEdgePathsPerDay = 1000;
export const edgeErrorsKeptMs = 400 * dayMs;

/**
 * The payload of a git push, as JSON: its depth, and the values and bytes of the fields that are read. The contract
 * limits its size.
 */
export const pushPayload = { maxDepth: 32, maxValues: 30_000, maxKeptBytes: 4 * 1_048_576 } as const;

/** Branches of one push that are deployed. */
export const maxPushedBranches = 100;

/** Pushes of a webhook, or uses of a deploy hook, in 15 seconds while the operator lets deploys coalesce. */
export const maxCoalescedPushes = 20;

/** How long a delivery of a git host is remembered: 30 days. GitHub can redeliver for 3 days. */
export const deliveriesKnownMs = 30 * dayMs;

/**
 * How far the signed time of a delivery may be from now, before or after.
 *
 * @see https://www.standardwebhooks.com
 */
export const signedDeliveryToleranceMs = 5 * 60_000;

/** How long a deploy's lease lasts, and how often its runner renews it. */
export const deployLeaseMs = 30_000;
export const deployHeartbeatMs = 10_000;

/** How long cloning a repository may take. After that the deploy is tried again. */
export const deployCloneMs = 600_000;

/**
 * How long a deploy waits after its first, second and third try, if its repository could not be read or its runner
 * disappeared. The fourth try is the last.
 */
export const deployBackoffMs: readonly number[] = [10_000, 60_000, 300_000];

/** How much of a deploy's output is stored, and for how long after its end. */
export const maxDeployLogBytes = 1_048_576;
/** Longer lines of a deploy's output are divided for clients. */
export const maxLogLineBytes = 8192;
export const deployLogKeptMs = 90 * dayMs;

/**
 * The lifetime of both codes of device approval, and how often the client may ask. The interval grows each time it asks
 * too soon.
 *
 * @see RFC 8628, section 3.5
 */
export const deviceCodeLifetimeMs = 900_000;
export const devicePollIntervalMs = 5_000;
export const deviceSlowDownMs = 5_000;

/** The lifetime of a key that a person approved: 90 days. */
export const deviceKeyLifetimeMs = 90 * dayMs;

/** How long after the expiry of its code a client can still learn the outcome. */
export const endedCodesKeptMs = dayMs;

/** A sign-in at the approval page ends after an hour, or after this many wrong codes. */
export const sessionLifetimeMs = 3_600_000;
export const maxWrongCodes = 5;

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

/** Active share links of one account. */
export const maxActiveShares = 1000;

/** Files that a link to a folder leads to. */
export const maxBundleFiles = 10_000;

/** Links in one list: all active ones, and the same number of exhausted ones. */
export const maxListedShares = 2 * maxActiveShares;

/** File requests of one account, in any state. */
export const maxFileRequests = 1000;

/** How far ahead a deadline of a file request may be: 366 days. */
export const maxDeadlineAheadMs = 366 * dayMs;

/** The largest file of a form for a file request: 5 GiB, as one blob takes. Files of one form. */
export const maxSentFileBytes = 5 * 1_073_741_824;
export const maxFilesOfForm = 1000;

/** Unfinished uploads to one file request, and those of one sender and of one address among them. */
export const maxUploadsOfRequest = 100;
export const maxUploadsOfSender = 16;
export const maxUploadsOfAddress = 20;

/** How long an announced file keeps its space in a file request without further bytes. */
export const sentPlaceMs = 10 * 60_000;

/** Files that a sender is shown, and that one receipt contains. */
export const maxShownSentFiles = 1000;

/** How long a browser is known as the sender of its files: 30 days. */
export const senderKnownMs = 30 * dayMs;

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

/** How long the pass for a link's password lasts: an hour. */
export const sharePassMs = 3_600_000;

/**
 * How long a spent download is stored after its last bytes were taken. Even the slowest response takes bytes within
 * this time.
 */
export const spentDownloadsKeptMs = dayMs;

/**
 * How long expired upload tokens are stored. Requests that were admitted before the expiry take less time than this.
 */
export const uploadTokensKeptMs = dayMs;

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

/** How long the daily usage of the AI gateway is stored: a year, and some days to look back at it. */
export const chatUsageKeptMs = 400 * dayMs;

/** The longest time for a request to the AI gateway. */
export const completionDeadlineMs = 90_000;

/** How long a reservation in the AI gateway lasts: far longer than a request and its charge can take. */
export const chatLeaseMs = 10 * 60_000;

/** How long a deleted account can be restored. Then a job removes it with everything that it has. */
export const deletedAccountsKeptMs = 7 * dayMs;

/** For how many days the console keeps what a person deletes in it, if its account has set no other number. */
export const consoleKeepDays = 30;
