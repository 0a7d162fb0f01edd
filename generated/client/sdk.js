// Made from openapi/ by `npm run generate`. Never edit it by hand.
import { hosts } from './hosts.js';
import { client } from './client.js';
import { formDataBodySerializer, urlSearchParamsBodySerializer } from './client/index.js';
/**
 * Delete files
 *
 * Deletes one file (`object`, or `objects` with one entry) or up to 100 (`objects`). A single missing file answers 404;
 * several answer a report of what was deleted, not found and failed. Deletion cannot be undone.
 *
 */
export const deleteObjects = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List files
 *
 * Lists the account's files in byte order of their keys, public ones first, then private, then legacy. Up to 1000 on a
 * page; `continuationToken` of one page asks for the next and is absent on the last. With `delimiter=/` what lies
 * deeper than the next `/` is rolled up into `folders`; files and folders count towards `limit` together. A folder of public
 * and private files is listed once, before the private files. A page can have fewer entries than `limit`, or none, where very
 * many folders were listed before; only a missing `continuationToken` says that the list has ended.
 *
 */
export const listObjects = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects',
    ...options
});
/**
 * Change visibility, expiry and headers of files
 *
 * Changes one file (`object`) or up to 50 (`objects`) in the order private, expire, cache_control, disposition, metadata,
 * each on the result of the one before. Send at least one change.
 *
 * Once the request is valid the answer is 200 with one result for each file, in the order of the request; a file that
 * could not be changed has `ok: false` and a `code`. Changing `private` or `expire` changes the id, unless it leads to the
 * same key; then links to the old id stop working. An update never overwrites another file: when the new id is taken, a
 * fresh hash is added.
 *
 * A file that becomes private is off the public store when the answer comes; a CDN drops it within about 60 seconds.
 * `private: false` and `expire` need an active plan, `expire` below 7 days and `no-cache` Enterprise, setting metadata Pro or
 * Enterprise. Legacy files move to the current storage with `private` or `expire`; their headers cannot change before.
 * The limit counts files, not requests.
 *
 */
export const updateObjects = (options) => (options.client ?? client).patch({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Upload one file
 *
 * Takes one file of 512 bytes to 104,857,600 bytes as multipart/form-data with exactly one part, `file`. Larger files
 * go in chunks. Up to 4 uploads of an account are under way at a time. A body that brings
 * less than 64 KiB in a minute is cut off.
 *
 * The stored key is `[prefix/]name[_hash][-exN].ext`. The extension comes from the uploaded filename, else from the
 * part's MIME type, else it is `bin`. Uploading the same name again replaces the file, unless `overwrite=false`.
 * What is answered as stored survives a power cut.
 *
 * An upload token spends one use here, and has it back when nothing is stored. What it pins wins over the query; another
 * prefix than a pinned one answers 403. With a pinned name the hash is on unless the token says otherwise, and without one
 * always.
 *
 */
export const uploadObject = (options) => (options.client ?? client).post({
    ...formDataBodySerializer,
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects',
    ...options,
    headers: {
        'Content-Type': null,
        ...options.headers
    }
});
/**
 * File details
 *
 * Everything that is known of one file.
 */
export const getObjectInfo = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/info',
    ...options
});
/**
 * Copy, move or rename a file
 *
 * Writes the file again under another name, prefix or visibility; with `move` the source is gone afterwards. The copy keeps
 * extension, content type, cache control, disposition and metadata; where the source has no extension, the copy's name may give
 * it one, of the types that may be uploaded. Without `expire` it keeps the source's expiry date and its
 * mark in the key. A copy counts against the quota, a move does not. The destination always lies in the current storage, so a
 * move also brings a legacy file over.
 *
 * A move that makes a public file private waits for the CDN, as an update does. Where the CDN does not drop the public copy,
 * the answer is `VISIBILITY_CHANGE_FAILED` and the file is where it was.
 *
 * The rule of the destination's prefix binds copies and moves as it binds uploads: `max_size`, `extensions`, and `private: true`, which
 * makes private what `destination.private` does not say otherwise of. A copy is never more public than its source by a rule alone.
 *
 */
export const copyObject = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/copy',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Download link
 *
 * Gives an address from which the file can be fetched without a credential. For a private file it is a temporary link on the
 * files host, signed, which ends by itself and also when the file is deleted, moved or changes visibility; it cannot be
 * revoked. For a public file it is the public URL, unless `disposition` or `filename` is sent: those always give a
 * temporary link.
 *
 * Without `filename` the file is saved under its original name, else under the last segment of its key.
 *
 */
export const getDownloadLink = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/download',
    ...options
});
/**
 * Abort a chunked upload
 *
 * Throws the stored parts away and frees their quota. Answers the same when the upload is aborted already; after completion
 * it answers 404 and the file stays.
 *
 * An upload token reaches only the uploads that it opened, also after it is used up or expired. A key restricted to prefixes
 * reaches only uploads within them.
 *
 */
export const abortChunkedUpload = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/chunked',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Status of a chunked upload
 *
 * Which parts are stored and which one comes next: what a client needs to resume. A completed, aborted or expired upload
 * answers 404.
 *
 * An upload token reaches only the uploads that it opened, also after it is used up or expired. A key restricted to prefixes
 * reaches only uploads within them.
 *
 */
export const getChunkedUpload = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/chunked',
    ...options
});
/**
 * Complete a chunked upload
 *
 * Makes the file of the stored parts. They must be numbered from 1 without a gap, and all but the last take at least
 * 5,242,880 bytes; `INVALID_CHUNK_PART` names the first gap in `message`. With `checksum_sha256` the answer waits until the
 * bytes are checked. Where the upload was started with `size`, the parts must come to exactly so many bytes (409 `SIZE_MISMATCH`).
 * A refused completion leaves the upload open.
 *
 * Completing twice gives the same answer for 24 hours, so that a client whose connection broke can try again. A checksum that
 * comes with the second request must fit too, unless the first one was answered with `sha256: null`.
 *
 * An upload token reaches only the uploads that it opened, also after it is used up or expired. A key restricted to prefixes
 * reaches only uploads within them.
 *
 */
export const completeChunkedUpload = (options) => (options.client ?? client).patch({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/chunked',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Start a chunked upload
 *
 * Opens an upload of up to 10 GiB, which is sent in parts and then completed. Takes no body; the query is that of a
 * single upload, plus `filename` and `mime_type`, which choose the extension, and `size`. With `size` the quota and the
 * limits of rule and token are checked at once.
 *
 * What the file will be is settled here: a rule that changes later does not matter to it. An expiry is counted from the
 * completion; `expires_at` shows what it would be if that came at once.
 *
 * Up to 32 uploads are open for an account, those begun over S3 among them. One in which no part begins for 24 hours is aborted.
 * An upload token spends one use here, and none on parts and completion. `overwrite=false` is checked at completion.
 *
 */
export const startChunkedUpload = (options) => (options?.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/chunked',
    ...options
});
/**
 * Send one part
 *
 * Takes the bytes of one part as they are, 5,242,880 to 33,554,432 of them; the last part may be smaller, but not empty.
 * The Content-Type does not matter. Parts may come in any order, up to 6 of an account at a time;
 * sending one again replaces it, and one that breaks off leaves the earlier one in place. A body that brings less than
 * 64 KiB in a minute is cut off. Stored parts count against the quota, and where that shrank a part may still be replaced by
 * one that is no larger. Parts do not count towards the account-wide limit of requests. A part that has begun before the
 * upload's 24 hours are over counts, however long it takes.
 *
 * An upload token reaches only the uploads that it opened, also after it is used up or expired. A key restricted to prefixes
 * reaches only uploads within them.
 *
 */
export const putChunkedPart = (options) => (options.client ?? client).put({
    bodySerializer: null,
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/chunked',
    ...options,
    headers: {
        'Content-Type': 'application/octet-stream',
        ...options.headers
    }
});
/**
 * List open chunked uploads
 *
 * Lists the account's open uploads, oldest first, those begun over the S3 gateway among them. A key restricted to prefixes sees
 * only uploads within them.
 *
 */
export const listChunkedUploads = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/chunked/open',
    ...options
});
/**
 * Mint an upload token
 *
 * Makes a short-lived token with which a browser uploads without the API key. Everything that is set is pinned: it wins over
 * what the browser sends, except that another prefix, also a deeper one, answers 403. Without `name` the browser names the
 * file and the name always gets a hash; with it the hash is on unless `security_hash` is false. The pinned options, which are
 * all fields but `expires_in` and `max_uses`, take up to 2048 bytes of JSON without blanks. A value that the browser sends where one
 * is pinned is not even looked at. Without a body the token pins nothing, and works once within 15 minutes.
 *
 * The token works for single and chunked uploads alone. Each upload and each start of a chunked one spends a use; what is
 * refused before anything is stored gives it back. At `expires_at` and when its uses are spent it starts nothing more, but
 * still finishes the chunked uploads that it opened. It ends altogether when the key that minted it is revoked, expires or
 * gets a new secret. A key restricted to prefixes mints only tokens that pin a prefix within them.
 *
 */
export const createUploadToken = (options) => (options?.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/upload-tokens',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options?.headers
    }
});
/**
 * Revoke a share link
 *
 * Revokes the link, which then answers 404. The file stays. A link that is revoked or expired already, or whose file is gone,
 * answers SHARE_NOT_FOUND, as one of another account does. A key restricted to prefixes revokes only links to files within them.
 *
 */
export const deleteShare = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/shares',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List share links
 *
 * Lists the links that are neither expired nor revoked and whose file is there, newest first. Spent ones stay, with 0
 * `remaining_downloads`, until they expire; of those the list may show the newest 1000 alone. A key restricted to prefixes sees
 * only links to files within them.
 *
 */
export const listShares = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/shares',
    ...options
});
/**
 * Create a share link
 *
 * Makes a link to one file, which works without a credential until it expires, is revoked, or its downloads are spent. It
 * ends at once when the file is deleted, moved or changes visibility, and with the file at the latest: `expires_at` says when. The link
 * of a public file redirects to the public URL,
 * so that password, cap and expiry do not protect that file: `object_is_public` and `message` say so. Up to 1000 links of an
 * account are active: neither revoked, expired nor spent, and their file is there. Revoking the key that made a link does not
 * end it.
 *
 */
export const createShare = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/shares',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * S3 key pair
 *
 * Gives the key pair of the S3-compatible gateway that belongs to the calling API key. Asking again gives the same pair; it
 * ends when the key is revoked, regenerated or expires. It reads with `blob:read` and writes with `blob:write`; for a key
 * restricted to prefixes `access` names these. A sign-in session and a key imported from before have no pair.
 *
 */
export const getS3Credentials = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            in: 'cookie',
            name: 'cubby_session',
            type: 'apiKey'
        }],
    url: '/v1/s3/credentials',
    ...options
});
/**
 * Read the prefix rules
 *
 * Lists the rules that hold for files under a prefix. A key restricted to prefixes sees those that can hold for files within
 * them.
 *
 */
export const getSettings = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/settings',
    ...options
});
/**
 * Replace the prefix rules
 *
 * Replaces the whole list; an empty one removes all rules. Of several rules that match, the one with the longest prefix holds.
 * Hobby and Standard take 5 rules, Pro 10, Enterprise 20. `expire` and `delete_after_days` below 7 days and `no-cache` need
 * Enterprise. `delete_after_days` acts from 24 hours after the rule was saved; a rule that is saved again unchanged keeps
 * its date. An error about one rule names its `prefix`.
 *
 * A key restricted to prefixes cannot replace the rules, because they hold for the whole account.
 *
 */
export const replaceSettings = (options) => (options.client ?? client).put({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/settings',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Usage
 *
 * What the account stores, what its plan includes and what the rest would cost. Up to 1 minute old, but never older than the
 * last upload or deletion.
 *
 */
export const getStats = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/stats',
    ...options
});
/**
 * List API keys
 *
 * Lists the keys that are neither revoked nor expired, oldest first. Needs a key with scope `*`.
 */
export const listKeys = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/keys',
    ...options
});
/**
 * Make an API key
 *
 * Makes a key; its secret is shown in this answer alone. Up to 10 keys of an account are live; what is revoked or expired does not count. `resources` restricts a key to
 * applications and cannot stand beside `blob:read`, `blob:write` or `*`; `prefixes` restricts it to files under these prefixes
 * and cannot stand beside `*`. Needs a key with scope `*`.
 *
 */
export const createKey = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/keys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Revoke an API key
 *
 * Ends the key at once, with its S3 pair and the upload tokens that it minted. Needs a key with scope `*`, which may be this one.
 */
export const revokeKey = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/keys/{id}',
    ...options
});
/**
 * Give an API key a new secret
 *
 * Gives the key a new secret, shown in this answer alone. The old secret, the S3 pair and the upload tokens that the key minted
 * end at once; id, name, scopes, restrictions and expiry stay. Takes no body. Needs a key with scope `*`, which may be this one.
 *
 */
export const regenerateKey = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/keys/{id}/regenerate',
    ...options
});
/**
 * What happened in the account
 *
 * Lists uploads, deletions and other changes, newest first, each with address, user agent and kind of credential; single parts
 * of chunked uploads are left out. `continuationToken` of one page asks for the next and is absent on the last; a page with a
 * next one may be short. Entries are kept for 90 days. Standard and above. A key restricted to prefixes sees only what concerns
 * files within them: of a copy or a move across their border, only the end that lies within.
 *
 */
export const listActivity = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/activity',
    ...options
});
/**
 * Answer a conversation
 *
 * Takes a conversation in the format of chat clients and answers with the next message, text in and text out. Nothing
 * is kept between requests: the whole history is sent every time.
 *
 * With `tools` the model may answer `tool_calls` (`finish_reason` `tool_calls`); the results go back as tool messages.
 * When the operator has set up web search, the gateway offers the model a `web_search` tool of its own, runs it (at
 * most 3 rounds), and answers the final text with the cited addresses in `annotations`. A tool of the request that is
 * called `web_search` replaces it.
 *
 * Checks come in this order: credential, scope, plan, body, concurrency, pacing, requests of the day, fair use, tokens
 * of the day and of the week, capacity. The limits of each plan stand in `x-plan-limits`; days begin at 00:00 UTC, weeks
 * on Monday at 00:00 UTC. A request that takes over 90 seconds in all is answered `server_overloaded`.
 *
 * A refused request spends nothing. A request that gets no answer is charged its input once a model has begun to work on
 * it: the client goes away, the time is over, or the model says nothing. It is free where each server behind the gateway
 * refused it at once or could not be reached.
 *
 * Of several wrong fields the first in the order of this page is answered; what no schema can say (a function that is not
 * among the tools, tool messages that do not fit the calls) is looked at after all of them.
 *
 */
export const createChatCompletion = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/ai/chat/completions',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List models
 *
 * The one model of the gateway, in the list form of chat clients. Which model stands behind it is the operator's choice.
 */
export const listModels = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/ai/models',
    ...options
});
/**
 * What is spent of the limits
 *
 * Requests, tokens and fair use of today and of this week. `spend` is the fair-use measure: tokens with input counted
 * once and output four times. Asking spends nothing.
 *
 */
export const getChatUsage = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/ai/usage',
    ...options
});
/**
 * Connect a repository by webhook
 *
 * Makes the application's webhook and answers its address. Register it on the repository, and every push to a branch
 * queues a deploy. Setting it again keeps the address and replaces token and secret; `access_token` of `@` removes
 * webhook, token and secret, and the old address then answers 404.
 *
 */
export const setGitWebhook = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/webhook',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Webhook and last deploy
 *
 * The application's webhook and its newest deploy. The answer may come from a cache, never a stale one - setting or removing the webhook and every change of a deploy drop it.
 */
export const getCurrentDeployment = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deployments/current',
    ...options
});
/**
 * Deploy history
 *
 * The application's deploys, newest first. `continuationToken` of one page, sent as `cursor`, asks for the next and is absent on the last.
 */
export const listDeployments = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deployments',
    ...options
});
/**
 * Errors at the edge
 *
 * Counts the error responses that the edge gave for the application from `start` up to, not including, `end`: in all,
 * by status, over time, by path and by method. Without errors in the window, and when it ends before the application
 * was created, the breakdown is empty.
 *
 * Every error is counted, none is estimated, in the second in which it happened: a window may begin and end at any second,
 * and windows that follow each other count each error once. Errors are kept for 400 days.
 *
 * The time series has one entry for each bucket that the window touches, those without an error count 0. The buckets
 * suit the window: a minute for up to 2 hours, 5 minutes up to 12 hours, 15 minutes up to a day, an hour up to a week,
 * 6 hours up to 27 days, a day up to 299 days, and whole weeks from Monday, so many that there are at most 300, for
 * more. They lie on a grid in UTC, whatever the window: the first one may begin before `start`, and the last one end
 * after `end`, but both count only errors of the window. Nothing is counted before 1970: the series of a window that begins
 * earlier begins there, and its buckets suit what is left.
 *
 * Paths have no query, and ids in them are `:id`. Of each day (UTC) the first 1,000 paths keep their name, and of an account's
 * own files and links 10 kinds (status, method and path) a second and 60 a minute; further ones are counted together as
 * `__other__`. Methods beside the usual nine are counted as `OTHER`.
 *
 * An answer may come from a cache, but never a stale one: any error that arrives makes it anew. While errors arrive without
 * a pause, the parts of one answer may differ by those that came while it was made. The limit counts only requests that no
 * cache answers.
 *
 */
export const getNetworkErrors = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/network/errors',
    ...options
});
/**
 * Take a git push
 *
 * Where the repository host delivers its pushes. The payloads of GitHub, GitLab, Gitea, Forgejo and Bitbucket are
 * understood, as JSON or as a form with the JSON in `payload`. 200 is answered once the deploy is stored in the queue.
 * A delivery with several changes queues a deploy for each branch. A newer push takes the place of one of the same branch
 * that still waits, which is `superseded` then.
 *
 * The same delivery again is answered 200 again and deploys nothing more. For 30 days it is known by the host's own id, where
 * a retry keeps it and a new push has another: `X-GitHub-Delivery`, GitLab's `webhook-id` or `Idempotency-Key`, Bitbucket
 * Cloud's `X-Request-UUID`. There the id decides alone, so a branch that is moved back and forth deploys each time. Elsewhere
 * (Gitea, Forgejo, Bitbucket Data Center, a hook of your own) its bytes decide; where they do not say from where the branch
 * was moved, only as long as the branch has not been pushed to since.
 *
 * When the webhook was set with a `secret`, the host's own header is checked: `X-Hub-Signature-256` (GitHub, Forgejo),
 * `X-Gitea-Signature`, `X-Forgejo-Signature`, `X-Hub-Signature` (Bitbucket), `X-Gitlab-Token`, or `webhook-signature` where
 * the secret is a signing token of GitLab (`whsec_…`). A `webhook-signature` covers `webhook-timestamp` too, which must be
 * within five minutes of the server's clock.
 *
 * Every reply but 200 begins with its code and ends with "Nothing was deployed." (429 is JSON, and its `message` ends
 * so). Pushes of tags and of deleted branches, pings and other events are answered 202 ahead of the rate limit and do
 * not count towards it; neither do redeliveries, nor pushes that could not be stored (503).
 *
 */
export const receiveGitPush = (options) => (options.client ?? client).post({
    url: '/v2/git/webhook/{webhook}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Ask for a key
 *
 * First step of a command line or extension that wants a key of its own (RFC 8628). It shows `user_code` and
 * `verification_uri`; a person opens the page, types the code and approves; meanwhile the client asks for the key with
 * `device_code`. The key belongs to the account of the person who approves, has no more than the scopes that were
 * asked for, and lasts 90 days. Answers have the shapes of RFC 8628 and RFC 6749, without the envelope. The fields may have the
 * names of RFC 8628, `client_id` and `scope`, so that its clients need no change.
 *
 */
export const requestDeviceCode = (options) => (options.client ?? client).post({
    url: '/v2/auth/device',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * The activation page
 *
 * Where a person approves the key of a command line or extension. Signed out it asks for an API key of scope `*`,
 * signed in for the code that the client shows. The address takes no code, so that nobody approves by following a
 * link. The page may not be framed and runs no script. Errors are pages for clients that ask for HTML (`Accept`), and the
 * envelope for others. Without a sign-in it also sets the cookie `cubby_form`, to which the form's `form_token` belongs.
 * With `done` it shows the decision that this sign-in came to last, and may be reloaded.
 *
 */
export const showActivationPage = (options) => (options?.client ?? client).get({ url: '/activate', ...options });
/**
 * Sign in, type the code, decide
 *
 * The forms of the activation page. `sign_in` takes an API key of scope `*`; `look_up` takes the code and answers who
 * asks, from which address and for which scopes; `approve` lets the client fetch its key, `refuse` ends the attempt, and both lead
 * to a page that says so (303);
 * `sign_out` ends the sign-in, which otherwise lasts an hour, or until the API key is revoked, gets a new secret or expires. Every
 * form brings back the `form_token` of the page that it stands on: `approve` and `refuse` that of the page which showed
 * the request. A form that another site sends (`Sec-Fetch-Site`, `Origin`) answers INVALID_FORM_TOKEN.
 *
 * A code can be decided once. Five codes under which no request waits end the sign-in. With ten live keys `approve` answers
 * APIKEY_LIMIT_REACHED and decides nothing: revoke one and approve again while the code is good.
 *
 */
export const submitActivation = (options) => (options.client ?? client).post({
    ...urlSearchParamsBodySerializer,
    url: '/activate',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});
/**
 * Fetch the key
 *
 * Asked every `interval` seconds until a person has decided. `authorization_pending` says to go on, `slow_down` to go
 * on with an interval that is 5 seconds longer; every other error ends the attempt. The key is made when it is fetched, and
 * answered once; after that the device code is unknown. An approval falls with the API key of the person who gave it
 * (`access_denied`), and waits while the account has ten live keys (`authorization_pending`, whose description says so).
 *
 */
export const pollDeviceToken = (options) => (options.client ?? client).post({
    url: '/v2/auth/device/token',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Fetch a file through a temporary link
 *
 * Serves the file of a temporary link; the link is the credential. Byte ranges and conditional requests work as in RFC 9110;
 * `HEAD` answers the headers alone. An expired or invalid link answers 404, and so does one whose file was deleted, moved or
 * changed visibility. One link takes 60 requests a minute from one address, all links of an account 6,000.
 *
 */
export const openDownloadLink = (options) => (options.client ?? client).get({ baseUrl: hosts.files, url: '/d/{token}', ...options });
/**
 * Open a share link
 *
 * Gives the file of a share link: a private file at once, from here; for a public one a redirect to its public URL. Byte ranges
 * and conditional requests work as in RFC 9110; `HEAD` answers the headers alone.
 *
 * A request without `Range` to a link with a cap spends one download. A spent download has an allowance for 15 minutes, bound to
 * address, user agent and version of the file: the size plus the smaller of the size and 16 MiB. Bytes are taken from it before they
 * are sent, and given back where they were not sent. A request with `Range` is free while an allowance covers it, and spends a
 * download otherwise; segmented, resumed and probing clients (`bytes=0-0`, then `bytes=0-`) spend one. When nothing is left in the
 * middle of an answer, the connection is closed. `HEAD`, 304, refusals, landing pages, password pages and the card that known
 * link-preview robots get spend none. An exhausted link still answers a range that an allowance covers.
 *
 * A client that asks for HTML (`Accept`) gets pages: the password page (401), the landing page when the link was made with
 * `landing`, and the errors. `download=1` passes the landing page. A client that does not gets the file, or the JSON envelope.
 *
 * A link with a password gives its file to those who carry the cookie that submitting the password sets. An attempt on an
 * unknown link takes as long as a wrong password. Unknown, revoked and gone answer 404, spent and expired 410. One link takes
 * 120 visits a minute from one address.
 *
 */
export const openShare = (options) => (options.client ?? client).get({ baseUrl: hosts.files, url: '/s/{share_id}', ...options });
/**
 * Give the password of a share link
 *
 * Takes the form of the password page. The right password sets a cookie for this link and leads back to it, where the file is;
 * the attempt itself spends no download. A link without a password leads back too. Attempts count as visits. A form that another site
 * sends (`Sec-Fetch-Site`, `Origin`) answers INVALID_FORM_TOKEN.
 *
 */
export const submitSharePassword = (options) => (options.client ?? client).post({
    ...urlSearchParamsBodySerializer,
    baseUrl: hosts.files, url: '/s/{share_id}',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});
/**
 * Fetch a public file
 *
 * Serves a public file on the public host. Byte ranges and conditional requests work as in RFC 9110; `HEAD` answers the
 * headers alone. Types that a browser would run or render as a document with script are served as
 * `application/octet-stream` attachments. `key` may carry slashes.
 *
 * A file has one address: each segment of its key percent-encoded, as every `url` in answers is, with upper-case hex digits and nothing else
 * encoded than `encodeURIComponent` does. Every other spelling that decodes to it (`%70hoto.png`, `folder%2Fphoto.png`, a bare `+`)
 * redirects there with 301, since a CDN keeps spellings apart and a purge names one. Nothing else is the same address: `//`, a slash at
 * the end, `.` and `..` are parts of a key or of none. A missing or private file answers 404 in every spelling.
 *
 * The query means nothing and is not looked at, so `?v=2` may serve to get past a browser's cache. Shared caches may keep an answer to an
 * address with a query for 60 seconds at the most (`s-maxage`), because no purge names it.
 *
 * `max-age` never passes the end of a file that expires.
 *
 */
export const getPublicFile = (options) => (options.client ?? client).get({ baseUrl: hosts.public, url: '/{account_id}/{key}', ...options });
/**
 * Is the process alive
 *
 * Answers as long as the process runs. For a supervisor that restarts it.
 */
export const getLiveness = (options) => (options?.client ?? client).get({ url: '/livez', ...options });
/**
 * Can the process serve
 *
 * Answers 200 while the stores answer and no stop is under way. For a load balancer. A full disk leaves it at 200, since reading and
 * deleting go on: `storage` says so.
 *
 */
export const getReadiness = (options) => (options?.client ?? client).get({ url: '/readyz', ...options });
/**
 * Counters for Prometheus
 *
 * Counters and histograms in the Prometheus text format. They name no account, key or file.
 */
export const getMetrics = (options) => (options?.client ?? client).get({ url: '/metrics', ...options });
