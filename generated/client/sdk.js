// Made from openapi/ by `npm run generate`. Never edit it by hand.
import { hosts } from './hosts.js';
import { client } from './client.js';
import { formDataBodySerializer, urlSearchParamsBodySerializer } from './client/index.js';
/**
 * Delete files
 *
 * Deletes one file (`object`, or `objects` with one entry) or up to 100 (`objects`). A single missing file answers 404.
 * For several files the response is a report of deleted, missing and failed ones. Deletion cannot be undone, unless the
 * rule of the prefix has `keep_deleted_days`: the trash then keeps the file.
 *
 * `If-Match` with one file deletes it only if nobody has changed it since. With several files a condition answers 400.
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
 * Lists the account's files in byte order of their keys: first public, then private, then legacy files. A page has up to
 * 1000 entries. `continuationToken` of a page requests the next page and is absent on the last one.
 *
 * With `delimiter=/` keys with a further `/` after `prefix` are grouped into `folders`. Files and folders count towards `limit`
 * together. A folder with public and private files is listed once, before the private files.
 *
 * `sort` and `order` choose another order, over public, private and legacy files together. Such a list has no folders: with
 * `delimiter=/` it has only the files right below `prefix`. Files of the same size or time come in the order of their keys.
 * `kind`, `min_size`, `max_size`, `created_from`, `created_before` and `metadata` leave out files that do not meet all of
 * them; folders stay. `fields` adds details to each file.
 *
 * A page may have fewer entries than `limit`, or none, after very many files or folders that the list does not show. Only
 * a missing `continuationToken` means that the list has ended.
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
 * Changes one file (`object`) or up to 50 (`objects`). The changes are applied in the order private, expire,
 * cache_control, disposition, metadata, each to the result of the one before. Send at least one change. The rate limit
 * counts files, not requests.
 *
 * A valid request answers 200 with one result for each file, in the order of the request. A file that could not be
 * changed has `ok: false` and a `code`.
 *
 * Changing `private` or `expire` changes the id, unless it leads to the same key. Links to the old id then stop working.
 * An update never overwrites another file: if the new id is taken, a fresh hash is added.
 *
 * A file that becomes private has left the public store when the response arrives. A CDN drops it within about 60
 * seconds. `private: false` and `expire` need an active plan, `expire` below 7 days and `no-cache` need Enterprise, and
 * setting metadata needs Pro or Enterprise. `private` and `expire` move legacy files to the current storage; before that
 * their headers cannot change.
 *
 * `If-Match` and `If-None-Match` with one file are about that file, and an unmet one answers 412. With several files a
 * condition answers 400.
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
 * Takes one file of 512 bytes to 104,857,600 bytes as multipart/form-data with exactly one part, `file`. Larger files go
 * in chunks. An account may run up to 4 uploads at a time. The server closes the connection when a body brings less than
 * 64 KiB in a minute. A stored file survives a power cut once the server has answered.
 *
 * The stored key is `[prefix/]name[_hash][-exN].ext`. The extension comes from the uploaded filename, else from the
 * part's MIME type, else it is `bin`. Uploading the same name again replaces the file, unless `overwrite=false`,
 * and needs room in the quota for the difference only.
 *
 * `If-Match` with the `etag` of an earlier response replaces that file only if nobody has changed it since, and
 * `If-None-Match: *` only creates. Of parallel uploads with the same condition one is stored; the others answer 412.
 *
 * An upload token spends one use here, and gets it back if nothing is stored. Its pinned values override the query; a
 * prefix other than the pinned one answers 403. With a pinned name the hash is on unless the token switches it off.
 * Without a pinned name it is always on.
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
 * Returns all details of one file.
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
 * Copies the file to another name, prefix or visibility. `move` also removes the source. The copy keeps extension,
 * content type, cache control, disposition and metadata. If the source has no extension, the copy's name may add one of
 * a type that may be uploaded. Without `expire` the copy keeps the source's expiry date and its mark in the key. A copy
 * counts against the quota, a move does not. The destination is always in the current storage, so a move also brings a
 * legacy file there.
 *
 * A move that makes a public file private waits for the CDN, as an update does. If the CDN does not drop the public
 * copy, the response is `VISIBILITY_CHANGE_FAILED` and the file stays where it was.
 *
 * The rule of the destination's prefix applies to copies and moves as it does to uploads: `max_size`, `extensions`, and
 * `private: true`, which makes the copy private unless `destination.private` is `false`. A rule alone never makes a copy
 * more public than its source.
 *
 * `If-Match` and `If-None-Match` are about the file at the destination, as they are for an upload. An unmet one answers 412.
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
 * Returns an address from which the file can be fetched without a credential.
 *
 * For a private file it is a signed temporary link on the files host. It expires by itself, and ends when the file is
 * deleted, moved or changes visibility. It cannot be revoked. For a public file it is the public URL, unless
 * `disposition` or `filename` is sent: these always give a temporary link.
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
 * Deletes the stored parts and frees their quota. Aborting again gives the same response. After completion it answers
 * 404 and the file stays.
 *
 * An upload token can access only the uploads that it opened, also after it is used up or expired. A key restricted to
 * prefixes can access only uploads within them.
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
 * Returns the stored parts and the next part number, so that a client can resume. A completed, aborted or expired upload
 * answers 404.
 *
 * An upload token can access only the uploads that it opened, also after it is used up or expired. A key restricted to
 * prefixes can access only uploads within them.
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
 * Assembles the file from the stored parts. They must be numbered from 1 without a gap, and all except the last must
 * have at least 5,242,880 bytes; `INVALID_CHUNK_PART` names the first gap in `message`. With `checksum_sha256` the
 * response waits until the bytes are checked. If the upload was started with `size`, the parts must add up to exactly
 * that number of bytes (409 `SIZE_MISMATCH`). A rejected completion leaves the upload open.
 *
 * Completing again gives the same response for 24 hours, so that a client whose connection broke can try again. A
 * checksum in the second request must match too, unless the first response had `sha256: null`. `If-Match` and
 * `If-None-Match` hold for the first completion, as they do for an upload in one request. The conditions of an upload that
 * another protocol started hold too.
 *
 * An upload token can access only the uploads that it opened, also after it is used up or expired. A key restricted to
 * prefixes can access only uploads within them.
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
 * Opens an upload of up to 10 GiB, which is sent in parts and then completed. It takes no body. The query is that of a
 * single upload, plus `filename` and `mime_type`, which choose the extension, and `size`. With `size` the quota and the
 * limits of rule and token are checked at once.
 *
 * The start fixes the file's properties, so later changes of a rule do not affect it. An expiry is counted from the
 * completion; `expires_at` is its value for an immediate completion. `overwrite=false` is checked at completion. Send
 * `If-Match` and `If-None-Match` with the completion; here they answer 400.
 *
 * An account may have up to 32 open uploads. Those of S3 have a limit of their own. An upload in which no part begins for 24 hours is
 * aborted. An upload token spends one use here, and none on parts and completion.
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
 * Takes the raw bytes of one part, 5,242,880 to 33,554,432 of them. The last part may be smaller, but not empty. The
 * Content-Type is ignored. Parts may come in any order, up to 6 of an account at a time. Sending a part again replaces
 * it; if the new one breaks off, the earlier one stays. The server closes the connection when a body brings less than 64
 * KiB in a minute.
 *
 * Stored parts count against the quota. Those of an upload that will replace a file may exceed it by the size of that file, and the
 * completion checks the difference. If the quota was lowered, a part can still be replaced by one that is no larger.
 * Parts do not count towards the account-wide limit of requests. A part that begins before the upload's 24 hours are
 * over counts, however long it takes.
 *
 * An upload token can access only the uploads that it opened, also after it is used up or expired. A key restricted to
 * prefixes can access only uploads within them.
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
 * Lists the account's open uploads, oldest first, including those of the S3 gateway. A key restricted to prefixes sees
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
 * Start an upload by tus or the IETF draft
 *
 * Opens an upload whose bytes come in sequence, and takes the first of them if there is a body. `Location` is the address
 * for the rest. With `Tus-Resumable: 1.0.0` it is the creation of tus 1.0, with its extensions creation-with-upload,
 * creation-defer-length and concatenation. Otherwise `Upload-Complete` makes it the creation of the IETF draft
 * (draft-ietf-httpbis-resumable-upload, interop version 8).
 *
 * The file's properties are the query of an upload. tus may send them in `Upload-Metadata` instead, under the same names;
 * the query wins. `filename` and `filetype` are the file's name and MIME type; in the draft, `Content-Disposition` and
 * `Content-Type` say them. Without `name`, the name is made from the file's name.
 *
 * It is the same upload as a chunked one: the `upload` string works in both, and what one protocol begins another can
 * finish. The limits are the same too: 10 GiB, 32 open uploads, 24 hours without bytes. An upload token spends one use; a
 * partial upload spends none.
 *
 * `If-Match` and `If-None-Match` hold when the file is written, also if another request sends its last bytes. An unmet one
 * answers 412 here, or 412 to that request, and the upload stays open. A partial upload takes no condition.
 *
 * A body is one of the 4 uploads that an account may send at a time, however they are sent, and a start counts towards
 * the rate of uploads of the plan. The server closes the connection when a body brings less than 64 KiB in a minute.
 *
 */
export const startUpload = (options) => (options?.client ?? client).post({
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
    url: '/v1/uploads',
    ...options,
    headers: {
        'Content-Type': 'application/offset+octet-stream',
        ...options?.headers
    }
});
/**
 * End an upload
 *
 * Ends an open upload, discards its bytes and frees their quota. A request that still writes to it is ended. After
 * completion it answers 404 and the file stays.
 *
 * An upload token can access only the uploads that it opened, also after it is used up or expired. A key restricted to
 * prefixes can access only uploads within them.
 *
 */
export const deleteUpload = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/uploads/{upload}',
    ...options
});
/**
 * Offset of an upload
 *
 * Says how far an upload is. Upload protocols send `HEAD` and read the headers; `GET` has the same in JSON. A request that
 * still writes to the upload is ended first, so the next one may continue at this offset. In tus, an upload whose bytes
 * have all come is completed first, if that was not done yet. A completed upload is known for 24 hours.
 *
 * An upload token can access only the uploads that it opened, also after it is used up or expired. A key restricted to
 * prefixes can access only uploads within them.
 *
 */
export const getUpload = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/uploads/{upload}',
    ...options
});
/**
 * Append bytes to an upload
 *
 * Appends the body at `Upload-Offset`, which must be where the upload stands (409 `UPLOAD_OFFSET_MISMATCH` names it). What
 * arrived before a connection broke is kept, so ask for the offset and continue there. A newer request ends an older one
 * on the same upload; the older one answers 423 `UPLOAD_BUSY` if its client still waits.
 *
 * The Content-Type is `application/offset+octet-stream` with `Tus-Resumable`, and `application/partial-upload` in the IETF
 * draft. In tus the file exists when `Upload-Length` is reached. In the draft it exists after a request with
 * `Upload-Complete: ?1`. A body with `Upload-Checksum` may have up to 33,554,432 bytes, and all of it is kept or nothing.
 *
 * A body is one of the 4 uploads that an account may send at a time, however they are sent.
 *
 * Bytes of chunked parts behind a gap are discarded, because the file continues at the gap.
 *
 * An upload token can access only the uploads that it opened, also after it is used up or expired. A key restricted to
 * prefixes can access only uploads within them.
 *
 */
export const putUploadBytes = (options) => (options.client ?? client).patch({
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
    url: '/v1/uploads/{upload}',
    ...options,
    headers: {
        'Content-Type': 'application/offset+octet-stream',
        ...options.headers
    }
});
/**
 * Purge files from the trash
 *
 * Removes one version (`version`) or up to 100 (`versions`) for good, and frees their bytes. This cannot be undone.
 *
 * One missing version answers 404. For several the response is a report.
 *
 */
export const deleteTrash = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/trash',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List deleted and replaced files
 *
 * Lists what the trash keeps, in byte order of the keys: first public, then private, then legacy files. The versions of one
 * file come newest first. `keep_deleted_days` and `keep_versions` of a rule decide what is kept, and until when.
 *
 * Only a missing `continuationToken` means that the list has ended.
 *
 */
export const listTrash = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/trash',
    ...options
});
/**
 * Restore files from the trash
 *
 * Puts one version (`version`) or up to 100 (`versions`) back under the id that its file had. A file that is there now is in
 * the way unless `overwrite` is true; then the trash keeps it, if the rule of its prefix says so. A restored public file is
 * public again. Links and shares that ended with the file stay ended. The bytes counted before too, so the quota stays the same.
 *
 * One version answers 404 or 409 if it cannot be restored. For several the response is a report.
 *
 * `If-Match` and `If-None-Match` with one version are about the file that is there now. With several versions a condition
 * answers 400.
 *
 */
export const restoreTrash = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/trash/restore',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List jobs over folders
 *
 * Lists the jobs of the account, newest first, at most 100. A job is forgotten 30 days after its end. A key that is
 * restricted to prefixes sees the jobs whose folders lie within them, among the newest 10,000.
 *
 */
export const listFolderJobs = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/folders/jobs',
    ...options
});
/**
 * Start a job over a folder
 *
 * Starts work on all files whose key begins with `prefix` and `/`, in the background. It changes rows only, so the bytes stay
 * where they are. Only files that were written before the job began are changed, each once. A file that cannot be changed is
 * reported, and the job goes on. It continues after a restart of the server. It is cancelled when
 * the key that started it is revoked or expires.
 *
 * Each file is changed as the request for one file changes it: the same rules, limits, quota, plan, events and activity. A file that
 * is hidden waits for the CDN; if the CDN does not drop it, it stays public and fails with `VISIBILITY_CHANGE_FAILED`.
 *
 * - `move`, `copy`: to the same names under `destination`, which may not lie in the folder, nor the folder in it. Files that
 * are there stay unless `overwrite` is true, and so does what was written there since the job began. Visibility and expiry
 * stay as they are, unless the rule of the destination makes files private.
 * - `delete`: the trash keeps the files, if the rule of their prefix says so.
 * - `restore`: what was deleted last under each key, where no file is now.
 * - `purge`: everything that the trash keeps of the folder, for good.
 * - `update`: `private` or `expire`, as `updateObjects` does it.
 *
 * A key that is restricted to prefixes may start jobs whose folders, `prefix` and `destination`, lie within them.
 *
 * With `dry_run` nothing changes, and the report says what would. Two jobs of an account run at the same time.
 *
 */
export const startFolderJob = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/folders/jobs',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Get a job over a folder
 *
 * Returns a job with its progress, and the first 1000 files that could not be changed.
 *
 */
export const getFolderJob = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/folders/jobs/{id}',
    ...options
});
/**
 * Cancel a job over a folder
 *
 * Ends a job at once. What it has changed stays changed. A job that has ended stays as it is.
 *
 */
export const abortFolderJob = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/folders/jobs/{id}/cancel',
    ...options
});
/**
 * Create an upload token
 *
 * Creates a short-lived token with which a browser uploads without the API key. It works only for single and chunked
 * uploads. Without a body the token pins nothing, and works once within 15 minutes.
 *
 * **Pinned options** are all fields except `expires_in` and `max_uses`. They override what the browser sends, which is
 * not even validated. The exception is the prefix: any other one, also a deeper one, answers 403. Without `name` the
 * browser names the file and the name always gets a hash. With `name` the hash is on unless `security_hash` is false.
 * The pinned options may have up to 2048 bytes of JSON without blanks.
 *
 * **Uses.** Each upload and each start of a chunked one spends a use. An upload that is rejected before anything is
 * stored gives it back. After `expires_at`, or when its uses are spent, the token starts nothing more, but it still
 * finishes the chunked uploads that it opened. It ends completely when the key that created it is revoked, expires or
 * gets a new secret. A key restricted to prefixes creates only tokens that pin a prefix within them.
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
 * Revokes the link, which then answers 404. The file stays. SHARE_NOT_FOUND is the response for a link that is already
 * revoked or expired, whose file is gone, or that belongs to another account. A key restricted to prefixes revokes only
 * links to files within them.
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
 * Lists the links that are neither expired nor revoked and whose file exists, newest first. Used up links stay, with 0
 * `remaining_downloads`, until they expire; the list may show only the newest 1000 of these. A key restricted to
 * prefixes sees only links to files within them.
 *
 * A bundle stays in the list without its files, and `listShareFiles` lists these. Without `limit` all links are on one page.
 * `object` lists only links to that one file. `prefix` lists only links to files whose keys begin so, and bundles whose
 * folder does.
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
 * Change a share link
 *
 * Extends or shortens a link, changes its cap, its password, its page and what the page says. Send at least one change.
 * The address of the link stays.
 *
 * A cap counts all downloads that the link had: with `max_downloads` at or below `downloads` the link is used up at once,
 * and a higher one opens it again. SHARE_NOT_FOUND is the response for a link that is revoked or expired, whose file is
 * gone, or that belongs to another account. A key restricted to prefixes changes only links to files within them.
 *
 */
export const updateShare = (options) => (options.client ?? client).patch({
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
 * Create a share link
 *
 * Creates a link to one file (`object`), or to several (`objects` or `prefix`): a bundle. Send one of the three. It works
 * without a credential until it expires, is revoked, or its downloads are used up. A link to one file ends at once when the
 * file is deleted, moved or changes visibility, and at the latest with the file: `expires_at` is the earlier end.
 *
 * A bundle has a page with all of its files, and serves them together as a ZIP archive. It stays when files go, and shows
 * what is left: of `objects` those that are still there, and of a `prefix` whatever is in the folder at the time of a visit.
 * It leads to at most 10000 files.
 *
 * The link of a public file redirects to the public URL. Password, cap and expiry do not protect that file:
 * `object_is_public` and `message` say so.
 *
 * An account may have up to 1000 active links. A link is active if it is neither revoked, expired nor used up, and its
 * file exists; a bundle needs none. A key restricted to prefixes shares only files that one of these prefixes covers all of.
 * Revoking the key that created a link does not end the link.
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
 * List the files of a share link
 *
 * Lists the files that a link leads to at the moment, as its visitors see them: the one file, those of a list that are left,
 * in their order, or all files of a folder by key. SHARE_NOT_FOUND is the response for a link that is revoked or expired,
 * whose one file is gone, or that belongs to another account. A key restricted to prefixes sees only links to files within
 * them.
 *
 */
export const listShareFiles = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/shares/files',
    ...options
});
/**
 * Delete a file request
 *
 * Deletes the request. Its page then answers 404, also to uploads under way, and the receipts of its senders are gone with
 * it. The files that have arrived stay. A key restricted to prefixes deletes only requests for folders within them.
 *
 */
export const deleteFileRequest = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/file-requests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List file requests
 *
 * Lists the requests of the account in any state, newest first. A key restricted to prefixes sees only those whose folder
 * is within them.
 *
 */
export const listFileRequests = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/file-requests',
    ...options
});
/**
 * Change a file request
 *
 * Changes what the page says and its limits, closes it, or opens it again. Send at least one change. The address of the
 * page stays. A limit may be set below what has arrived: then nothing more is taken, and what is there stays.
 *
 * A closed page refuses uploads under way. A key restricted to prefixes changes only requests for folders within them.
 *
 */
export const updateFileRequest = (options) => (options.client ?? client).patch({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/file-requests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Create a file request
 *
 * Creates a page on the files host where others put files into a folder of the private space, without a credential. What
 * arrives belongs to the account and counts against its quota. Senders see neither the folder nor what others have sent.
 *
 * No file is ever replaced: a name that is taken gets ` (2)`. With `sender_folders` each sender gives a name and gets a
 * folder of that name. The limits are exact, also under parallel uploads. An upload that began before the deadline may go
 * on for the `grace`.
 *
 * An account may have up to 1000 requests, in any state. Revoking the key that created a request does not end it. A key
 * restricted to prefixes creates only requests for folders within them.
 *
 */
export const createFileRequest = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/file-requests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * S3 key pair
 *
 * Returns the key pair of the S3-compatible gateway that belongs to the calling API key. Each request returns the same
 * pair. It ends when the key is revoked, regenerated or expires. It reads with `blob:read` and writes with `blob:write`.
 * For a key restricted to prefixes `access` names them. A sign-in session and a key imported from before have no pair.
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
 * Read the prefix rules and image presets
 *
 * Lists the rules for files under a prefix, and the presets for image variants. A key restricted to prefixes sees the rules that can apply to files within
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
 * Replace the prefix rules and image presets
 *
 * Replaces each list that is sent, as a whole. An empty list removes all of it.  If several rules match, the rule with the longest prefix
 * applies. An error about one rule names its `prefix`.
 *
 * Hobby and Standard allow 5 rules, Pro 10, Enterprise 20. `expire` and `delete_after_days` below 7 days and `no-cache`
 * need Enterprise. `delete_after_days` takes effect 24 hours after the rule was saved. A rule that is saved again
 * unchanged keeps its date.
 *
 * `image_presets` are variants of images that addresses of the account's files may ask for without a signature, where the
 * operator has turned variants on. A preset with the name of one of the operator's takes its place. What only a former preset
 * allowed needs a signature from then on.
 *
 * A key restricted to prefixes cannot replace them, because they apply to the whole account.
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
 * Signing key of image variants
 *
 * Returns the key with which the account signs addresses of image variants that no preset names. `sign()` of the client
 * makes such addresses. Keep the key on servers. It can sign every variant of your images.
 *
 * A signature is the HMAC-SHA256, in base64url without padding, of the path of the address, `?` and the parameters `w`,
 * `h`, `fit`, `q` and `f` in this order, joined by `&`. Leave out `w`, `h` and `q` if they are not set. `fit` and `f` are
 * always there, `contain` and `auto` by default. The key of the HMAC is the whole text of `key`.
 *
 * Each request returns the same key. It changes when the operator rotates the master key. Signatures of the former one
 * stay valid for the grace period of the rotation, as temporary links do. A key restricted to prefixes cannot read it,
 * because it applies to the whole account.
 *
 */
export const getImageKey = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/image-key',
    ...options
});
/**
 * Read the usage
 *
 * Returns what the account stores, what its plan includes and what the rest would cost. The figures may be up to 1
 * minute old, but never older than the last upload or deletion.
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
 * Read the usage of past days
 *
 * Returns the mean of the stored bytes and of the number of files on each day in UTC, weighted by time, and the number of
 * requests with the bytes sent in response. Days are kept for 400 days, and today counts up to now. Days that were not
 * measured are left out: those before the account existed, and those that an earlier version of the server did not keep.
 * The stored bytes and files are never older than the last upload or deletion. Requests appear some two seconds after
 * their end. Requests that the server could not assign to an account are not counted, such as those with a wrong key, and
 * neither is what a CDN or a bucket sends in the server's place.
 *
 */
export const getUsageHistory = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/usage',
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
 * Create an API key
 *
 * Creates a key. Only this response shows its secret. An account may have 10 live keys; revoked and expired keys do not
 * count.
 *
 * `resources` restricts the key to applications and cannot be combined with `blob:read`, `blob:write` or `*`. `prefixes`
 * restricts it to files under these prefixes and cannot be combined with `*`. `ai` limits what the key may spend in the AI
 * gateway, under the limits of the plan. After `expires_in` the key ends like a revoked one, with its sessions, upload tokens
 * and S3 key pair. Needs a key with scope `*`.
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
 * Ends the key at once, with its S3 pair and its upload tokens. Needs a key with scope `*`, which may be this one.
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
 * Change the AI limits of a key
 *
 * Changes the limits of the key in the AI gateway, from its next request on. A limit that is left out stays, null removes it,
 * and `ai: null` removes all of them. The limits of the plan apply in addition. Needs a key with scope `*`, which may be this
 * one.
 *
 */
export const updateKey = (options) => (options.client ?? client).patch({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/account/keys/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Give an API key a new secret
 *
 * Gives the key a new secret, which only this response shows. The old secret, the S3 pair and the upload tokens of the
 * key end at once. The id, name, scopes, restrictions, limits and expiry stay. Takes no body. Needs a key with scope `*`, which
 * may be this one.
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
 * Sign out
 *
 * Ends the session of this request and deletes its cookie. A request with an API key has no session and answers
 * SESSION_NOT_FOUND.
 *
 */
export const deleteSession = (options) => (options?.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/session',
    ...options
});
/**
 * Who is signed in
 *
 * Returns the account and the rights of the caller, and the `csrf_token` of the session. A page asks for it when it
 * loads. A request with an API key also gets the account and the rights of the key. It has no session, so `id` and
 * `csrf_token` are null.
 *
 */
export const getSession = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/session',
    ...options
});
/**
 * List sessions
 *
 * Lists the sessions of the account that have not ended, newest first. Needs a key with scope `*`.
 */
export const listSessions = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/sessions',
    ...options
});
/**
 * Sign in with an API key
 *
 * Exchanges an API key for a session of a browser. The response sets the cookie `__Host-cubby_console`, which no script
 * can read. The key itself is needed only once, so the page need not keep it.
 *
 * The session may do what its key may do, at every operation that takes an API key. It ends 12 hours after the sign-in,
 * or 30 days after it with `remember`. It ends earlier when its key expires, is revoked or gets a new secret, or when the
 * account is suspended. A key has at most 50 sessions: a further one ends its oldest.
 *
 * Requests with the cookie come from pages of the API's own host only. All methods except GET and HEAD need the
 * `csrf_token` of the response in `X-Cubby-CSRF`. If `Authorization` is sent, the cookie is ignored.
 *
 * Browsers keep the cookie only for https addresses, and for `localhost`. If the address of the API is another one, this
 * answers HTTPS_REQUIRED.
 *
 */
export const startSession = (options) => (options.client ?? client).post({
    url: '/v1/sessions',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * End a session
 *
 * Ends a session of the account at once, for example on a lost device. Needs a key with scope `*`.
 */
export const revokeSession = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/sessions/{id}',
    ...options
});
/**
 * List activity
 *
 * Lists uploads, deletions and other changes, newest first. Each entry has the address, the user agent and the kind of
 * credential. Single parts of chunked uploads are left out. Entries are kept for 90 days. Standard and above.
 *
 * `continuationToken` of a page requests the next page, with the same filters, and is absent on the last one. A page with a
 * next page may have fewer entries than `limit`, or none: some filters look through 200,000 entries at most for one page.
 *
 * A key restricted to prefixes sees only entries about files within them. For a copy or a move across their border it
 * sees only the end that lies within.
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
 * List events
 *
 * Lists what has happened in the account, oldest first: uploads, deletions, moves and other changes. Each event was
 * stored together with its change, so none is lost. The events of a file come in the order of its changes.
 *
 * Keep `cursor` of each page and send it with the next request. A page without events is no error: nothing has happened
 * since. Without `cursor`, the list begins with the oldest event that is kept. `cursor=latest` returns only a cursor of
 * the end. Events are kept for 30 days, unless the operator has set another time (`CUBBY_EVENTS_DAYS`).
 *
 * `truncated` says that events behind the sent cursor are no longer kept. The page then begins with the oldest event that
 * is. An event may be delivered more than once, and always has the same `id`.
 *
 * With `Accept: text/event-stream` the response does not end: events come as server-sent events as they happen. The `id` of
 * each is its cursor, and its `data` is the event. After a pause a client goes on with `Last-Event-ID`, as `EventSource` does
 * by itself. An event named `truncated` says that history is gone. Comments keep the connection open. An account may have
 * 10 streams.
 *
 * A key restricted to prefixes sees only events about files within them. Events about no file, such as `key.created`,
 * need the scope `account:read`.
 *
 */
export const listEvents = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/events',
    ...options
});
/**
 * Get an event
 *
 * Returns one event by its `id`, with the data that `listEvents` shows this key. An event that is no longer kept, one of
 * another account, and one that the key may not see answer the same 404.
 *
 */
export const getEvent = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/events/{event_id}',
    ...options
});
/**
 * List the keys of receipts
 *
 * Lists the public keys that receipts are verified with, as a JSON Web Key Set (RFC 7517). A receipt is the compact form
 * of a JSON Web Signature (RFC 7515) with Ed25519. It states the id, the size and the SHA-256 of a file, the time, the
 * account and the API key. `verifyReceipt()` of the client verifies it without asking the server. The keys change only when
 * the operator rotates the master key. Keep former ones to verify former receipts.
 *
 */
export const listReceiptKeys = (options) => (options?.client ?? client).get({ url: '/v1/receipts/keys', ...options });
/**
 * List webhooks
 *
 * Lists the webhooks of the account with their state, oldest first.
 *
 */
export const listWebhooks = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks',
    ...options
});
/**
 * Create a webhook
 *
 * Creates an endpoint that events are sent to, as the Standard Webhooks specification says: a POST with the event as its
 * body, and the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. `secret` is shown once. Any 2xx status
 * confirms a delivery.
 *
 * A failed delivery is repeated after 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14, 20 and 24 hours. `Retry-After` is
 * obeyed. A redirect is a failure. 410 disables the endpoint. So does failing alone for five days. The events of a file are
 * delivered in their order. Other files do not wait for them. An endpoint gets the events that happen after its creation.
 *
 * The address is resolved and checked at every attempt. Private addresses are refused unless the operator allows them
 * (`CUBBY_WEBHOOK_ALLOW_PRIVATE`). An account may have 20 webhooks. An endpoint gets events about no file, such as
 * `key.created`, only if the key that creates it has the scope `account:read`.
 *
 */
export const createWebhook = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Delete a webhook
 *
 * Deletes the webhook with its deliveries. Nothing more is sent.
 *
 */
export const deleteWebhook = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks/{id}',
    ...options
});
/**
 * Get a webhook
 *
 * Returns one webhook with its state.
 *
 */
export const getWebhook = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks/{id}',
    ...options
});
/**
 * Change a webhook
 *
 * Changes the fields that are sent. `enabled: true` enables an endpoint again. It then gets the events that it has missed,
 * as far as they are kept.
 *
 */
export const updateWebhook = (options) => (options.client ?? client).patch({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Send a test event
 *
 * Records an event of the type `webhook.test`, which is delivered to this endpoint alone, whatever its filters are.
 *
 */
export const runWebhookTest = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks/{id}/test',
    ...options
});
/**
 * List deliveries
 *
 * Lists the deliveries of a webhook, newest event first: those that wait, those that were confirmed and those that were
 * given up. Ended ones are kept for 7 days.
 *
 */
export const listWebhookDeliveries = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks/{id}/deliveries',
    ...options
});
/**
 * Deliver events again
 *
 * Delivers one event again, or all events of a time range that match the filters of the endpoint. They keep their ids. One
 * range at a time is replayed.
 *
 */
export const startWebhookReplay = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks/{id}/replay',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Rotate the secret
 *
 * Makes a new secret and a new key pair. For 24 hours, deliveries are signed with the former ones too, so that the receiver
 * can change over. A further rotation ends the overlap of the one before.
 *
 */
export const regenerateWebhookSecret = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/webhooks/{id}/rotate',
    ...options
});
/**
 * Answer a conversation
 *
 * Takes a conversation in the format of chat clients and returns the next message. Input and output are text. Nothing is
 * kept between requests, so send the whole history every time.
 *
 * With `tools` the model may answer `tool_calls` (`finish_reason` `tool_calls`); return the results as tool messages. If
 * the operator has set up web search, the gateway offers the model its own `web_search` tool and runs it (at most 3
 * rounds). The final text then has the cited addresses in `annotations`. A tool of the request with the name
 * `web_search` replaces it.
 *
 * With `stream: true` the answer comes as server-sent events while the model writes it, if the operator has switched
 * streaming on (`CUBBY_AI_STREAMING=on`). Otherwise `stream: true` answers `stream_not_supported`. Each event has a
 * `chat.completion.chunk` as its data: first the role, then pieces of the text and of tool calls, then the `finish_reason`
 * with any `annotations`. With `stream_options.include_usage` one more chunk has the `usage`. The last event is
 * `data: [DONE]`. If the answer breaks off, the last event has an `error` instead, in the form of the error responses.
 * Limits are checked before the first event. A client that disconnects stops the model, and is charged what the model
 * has written. Comments may come at any time.
 *
 * Checks come in this order: credential, scope, plan, body, concurrency, pacing, requests of the day, fair use, tokens
 * of the day and of the week, capacity. If several fields are invalid, the response names the first one in the order of
 * this page. Rules that no schema can express (a function that is not among the tools, tool messages that do not match
 * the calls) are checked after all fields.
 *
 * `x-plan-limits` has the limits of each plan. Days begin at 00:00 UTC, weeks on Monday at 00:00 UTC. A request that
 * takes over 90 seconds in all answers `server_overloaded`.
 *
 * If the operator has switched a cache on (`CUBBY_AI_CACHE_SECONDS`), a request with `temperature` 0 that the same key has
 * sent before gets the same answer again, at no charge and outside of the limits of requests and tokens. `Cache-Status` says so.
 *
 * A rejected request costs nothing. A request without an answer is charged its input once a model has begun to work on
 * it: the client disconnects, the time is over, or the model returns nothing. It costs nothing if each server behind the
 * gateway rejected it at once or could not be reached.
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
 * Turn texts into vectors
 *
 * Returns one vector for each text, in the format of chat clients, in the order of the texts. Texts of similar meaning have
 * similar vectors. The operator names the model (`CUBBY_AI_EMBEDDINGS_MODEL`). Without one, every request answers
 * `embeddings_not_supported`.
 *
 * The tokens count towards the same budgets as those of chats, and the same limits of requests and pace apply. All texts of
 * a request together may have as many tokens as the context window of the plan. A request that fails before a model has
 * worked on it costs nothing. One that fails later is charged its texts.
 *
 */
export const createEmbeddings = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/ai/embeddings',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Answer in the form of the Messages API
 *
 * Takes a conversation in the form of Anthropic's Messages API and returns the next message. If the operator has switched it
 * off (`CUBBY_AI_MESSAGES=off`), every request answers `messages_not_supported`. Input and output are text. Nothing is kept
 * between requests, so send the whole history every time.
 *
 * Clients that add `/v1/messages` to their base URL are given `…/v2/ai`: `POST /v2/ai/v1/messages` is the same. The API key may come as `X-Api-Key`. `Anthropic-Version` and `Anthropic-Beta` are accepted and have no effect.
 *
 * With `tools` the model may answer blocks of the type `tool_use`. Send them back, followed by a message of the user with a
 * `tool_result` for each. Tools and blocks that the gateway cannot run are left out, such as a web search at the server and
 * thoughts. A choice of a tool that was left out is rejected.
 *
 * With `stream: true` the answer comes as server-sent events: `message_start`, for each block `content_block_start`, its pieces
 * as `content_block_delta` and
 * `content_block_stop`, then `message_delta` with the tokens and `message_stop`. `ping` may come at any time. If the answer
 * breaks off, the last event is `error`.
 *
 * Limits, charges and checks are those of `createChatCompletion`, and in the same order. The field `code` of an error is the
 * same as there, beside the `type` of this form.
 *
 */
export const createMessage = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, { name: 'X-Api-Key', type: 'apiKey' }],
    url: '/v2/ai/messages',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List models
 *
 * Returns the models of the gateway, in the list form of chat clients. `cubic` is the default and comes first. The operator
 * chooses what is behind it, and may have named more models, and one for embeddings. A key that is restricted to
 * some models sees only those.
 *
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
 * Look up a model
 *
 * Returns one model of the gateway by its name, as some clients ask for it before their first request. Another name that the
 * operator has given to a model also finds it.
 *
 */
export const getModel = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/ai/models/{model}',
    ...options
});
/**
 * List requests to models
 *
 * Lists the requests of the account that asked a model, newest first: when, with which key, how long they took, what they
 * were charged and how they ended. Nothing of their contents is kept. The operator switches the list on and says for how
 * many days it is kept (`CUBBY_AI_LOG_DAYS`). Otherwise it is empty, and `kept_days` is 0.
 *
 * A request is in the list about a second after its end. Requests with an invalid body are not in it. A server that is
 * killed loses those of its last second.
 *
 * `continuationToken` of a page, sent as `cursor`, requests the next page and is absent on the last one. A page with a next
 * page may have fewer entries than `limit`, because filters look at 10,000 requests at most for one page.
 *
 * A key with the scope `*` or `account:read` sees the requests of the whole account, any other key only its own. This request
 * costs nothing.
 *
 */
export const listAiRequests = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/ai/requests',
    ...options
});
/**
 * Answer in the form of Open Responses
 *
 * Takes a conversation as items, as the document Open Responses describes it, and returns the next items. If the operator has
 * switched it off (`CUBBY_AI_RESPONSES=off`), every request answers `responses_not_supported`. Input and output are text. Nothing is kept between requests, so send all items every time, and `store: false` where a client would otherwise
 * refer to earlier items.
 *
 * With `tools` of the type `function` the model may answer items of the type `function_call`. Send them back together with a
 * `function_call_output` for each. Tools and items that the gateway cannot run are left out, such as a web search at the server
 * and reasoning. A choice of a tool that was left out is rejected.
 *
 * With `stream: true` the answer comes as server-sent events. Each event has its `type` and a `sequence_number`: `response.created`, `response.in_progress`,
 * then for each item `response.output_item.added`, its pieces and `response.output_item.done`, then `response.completed` or
 * `response.incomplete`. If the answer breaks off, `error` and `response.failed` come in their place. The last event is
 * `data: [DONE]`. Comments may come at any time.
 *
 * Limits, charges and checks are those of `createChatCompletion`, and in the same order.
 *
 */
export const createResponse = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/ai/responses',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Read the usage of the AI gateway
 *
 * Returns requests, tokens and fair use of today and of this week. `spend` is the fair-use measure: tokens with input
 * counted once and output four times. A key with limits of its own also
 * sees what it has used of these. This request costs nothing.
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
 * Read the usage of past days
 *
 * Returns charged requests and tokens, added up by day, key and model, in this order. Days are those on which the requests
 * began, in UTC. They are kept for 400 days. A key with the scope `*` or `account:read` sees the usage of the whole account,
 * any other key only its own. This request costs nothing.
 *
 */
export const getChatUsageHistory = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/ai/usage/history',
    ...options
});
/**
 * List applications
 *
 * Lists the applications of the account, the built-in one first. A key that is restricted to certain applications sees only
 * those. An operator makes applications: `createAccountApp`, or `cubby app create`.
 *
 */
export const listApps = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps',
    ...options
});
/**
 * Connect a repository by webhook
 *
 * Creates the application's webhook and returns its address. Register the address on the repository. Every push to a
 * branch then queues a deploy. Setting it again keeps the address and replaces token and secret. `access_token` of `@`
 * removes webhook, token and secret, and the old address then answers 404.
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
 * Which pushes are deployed
 *
 * Returns the filters of the application. Empty lists mean that every push of a branch is deployed.
 */
export const getDeployFilters = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/filters',
    ...options
});
/**
 * Choose which pushes are deployed
 *
 * Replaces the filters of the application. A list that is left out is empty. They hold for pushes that arrive from then on,
 * and not for deploy hooks and repeated deploys.
 *
 * A push of a branch is deployed if `include_branches` is empty or one of its globs matches the branch, and none of
 * `exclude_branches` does. With globs of paths, the push must also change a file that `include_paths` takes in the same way
 * and that no glob of `exclude_paths` matches. The git host gets 200 for other pushes, with the reason. They have the event
 * `deploy.filtered`, queue nothing and do not count towards the rate limit.
 *
 * In a glob `*` stands for any characters but slashes, `?` for one of them, and `**` between slashes for any number of
 * folders. All other characters stand for themselves. A glob matches the whole branch or path.
 *
 * GitHub, GitLab, Gitea and Forgejo list the changed files of each commit. Where a push does not list all of them, it is
 * deployed - a new or forced branch, a list that the host has cut off (GitHub after 2,048 commits or 3,000 files, GitLab
 * after 20 commits, Gitea after 5), and every push of Bitbucket.
 *
 */
export const replaceDeployFilters = (options) => (options.client ?? client).put({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/filters',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Revoke the deploy hook
 *
 * Ends the deploy hook at once. Deploys that it has queued stay.
 */
export const revokeDeployHook = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/hook',
    ...options
});
/**
 * The deploy hook
 *
 * Returns the deploy hook of the application. Its address was shown once, when it was created.
 */
export const getDeployHook = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/hook',
    ...options
});
/**
 * Create or rotate the deploy hook
 *
 * Creates a secret address that queues a deploy of a repository, without a git host: `POST` to it, from a build server for
 * instance. An application has one. A new one takes its place, and the former address answers 404 at once. The address is
 * shown only here; the server keeps a keyed hash of it.
 *
 * The runner clones the repository with the access token of the git webhook, if the application has one for the same origin.
 *
 */
export const createDeployHook = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/hook',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Stop reports to the git host
 *
 * Removes the token. Nothing more is reported.
 */
export const deleteCommitStatus = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/status',
    ...options
});
/**
 * Reports to the git host
 *
 * Returns how deploys are reported to the git host, and how the last report went. The token is never shown.
 */
export const getCommitStatus = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/status',
    ...options
});
/**
 * Report deploys to the git host
 *
 * Stores a token with which Cubby sets the status of each commit that it deploys, on GitHub, GitLab, Gitea or Forgejo. Only
 * deploys of repositories of `origin` are reported, and the token is sent to the API of that origin alone (for
 * `https://github.com` to `https://api.github.com`). It is stored encrypted and never shown again.
 *
 * A waiting or running deploy is `pending`, an ended one `success` or `failure`. One that was superseded or cancelled is
 * `error` (GitLab: `canceled`). Failed reports are repeated six times within about 7 hours; `Retry-After` is obeyed. 400, 401,
 * 404, 410 and 422 end them. Only the newest state of a deploy is reported. Redirects are not followed.
 *
 * The origin must be `https`, because the token is sent there. The address is resolved and checked at every attempt. Private
 * addresses, and `http` to these, are refused unless the operator allows them (`CUBBY_WEBHOOK_ALLOW_PRIVATE`).
 *
 */
export const replaceCommitStatus = (options) => (options.client ?? client).put({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deploy/status',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Webhook and last deploy
 *
 * Returns the application's webhook and its newest deploy. The response may come from a cache, but never a stale one - setting or removing the webhook and every change of a deploy clear it.
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
 * Lists the application's deploys, newest first. `continuationToken` of a page, sent as `cursor`, requests the next page and is absent on the last one.
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
 * Deploy a commit again
 *
 * Queues a new deploy of the branch and the commit of an earlier one, whatever became of that. A waiting deploy of the
 * branch is superseded. The earlier deploy stays as it is.
 *
 */
export const runDeployment = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deployments/{id}/redeploy',
    ...options
});
/**
 * Cancel a deploy
 *
 * Cancels a deploy. A waiting one is `cancelled` at once. A running one keeps its state until its runner has stopped the
 * command, which takes a few seconds, and has `cancel_requested` until then. If the command ends first, its result
 * counts. A deploy that has ended stays as it is.
 *
 */
export const abortDeployment = (options) => (options.client ?? client).post({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deployments/{id}/cancel',
    ...options
});
/**
 * Output of a deploy
 *
 * Returns the output of a deploy, oldest line first: that of the runner, of git and of the command, over all attempts.
 * Send `cursor` of a page with the next request. A page that is not `complete` may have no lines yet: more will come. The
 * first mebibyte of the output is kept, for 90 days after its last line. The access token of the repository is hidden.
 *
 * Lines longer than 8,192 bytes are divided. Escape sequences of terminals (ANSI) are part of the text. Remove or
 * interpret them before a terminal shows it. Bytes that are not UTF-8 become U+FFFD.
 *
 * With `Accept: text/event-stream` the response does not end before the deploy: lines come as server-sent events as they are
 * written. The `id` of each is its cursor, and its `data` is `{"line": "…"}`. An event named `end` follows the last line, with
 * the state of the deploy; close the connection then. After a pause a client goes on with `Last-Event-ID`, as `EventSource`
 * does by itself. An account may have 10 such streams.
 *
 * The output lies in the data folder of the runner. A server with another data folder answers DEPLOYMENT_LOG_NOT_FOUND.
 *
 */
export const getDeploymentLogs = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v2/apps/{app_id}/deployments/{id}/logs',
    ...options
});
/**
 * Errors at the edge
 *
 * Counts the error responses of the edge for the application from `start` up to, not including, `end`: in total, by
 * status, over time, by path and by method. The breakdown is empty if the window has no errors, or ends before the
 * application was created.
 *
 * Every error is counted in the second in which it happened; none is estimated. A window may begin and end at any
 * second, and consecutive windows count each error once. Errors are kept for 400 days.
 *
 * The time series has one entry for each bucket that the window touches; buckets without an error count 0. The bucket
 * size depends on the window: a minute for up to 2 hours, 5 minutes up to 12 hours, 15 minutes up to a day, an hour up
 * to a week, 6 hours up to 27 days, a day up to 299 days. For longer windows a bucket is as many whole weeks from Monday
 * as keep the series to at most 300 buckets. Buckets lie on a fixed grid in UTC. The first one may begin before `start`
 * and the last one may end after `end`, but both count only errors of the window. Nothing is counted before 1970: the
 * series of an earlier window begins there, and its buckets fit the rest.
 *
 * Paths have no query, and ids in them are `:id`. On each day (UTC) the first 1,000 paths keep their name. For an
 * account's own files and links, 10 kinds (status, method and path) a second and 60 a minute keep their name. Further
 * ones are counted together as `__other__`. Methods other than the usual nine are counted as `OTHER`.
 *
 * A response may come from a cache, but never a stale one: each new error renews it. While errors arrive without a
 * pause, the parts of one response may differ by the errors that arrived meanwhile. The rate limit counts only requests
 * that no cache answers.
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
 * Queue a deploy by its hook
 *
 * Queues a deploy of the repository of a deploy hook. The address is the only credential. A body is not needed. Without
 * `commit`, the newest commit of the branch is deployed. Until the runner has read the branch, `commit` of that deploy is
 * all zeros. A waiting deploy of the branch is superseded. Filters of pushes do not apply.
 *
 * A hook may be used once in 15 seconds. If the operator lets deploys coalesce, it may be used 20 times, and deploys of a
 * branch begin at least 15 seconds apart.
 *
 */
export const startHookDeploy = (options) => (options.client ?? client).post({
    url: '/v2/deploy/hook/{hook}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Receive a git push
 *
 * Receives the pushes of a repository host. It accepts the payloads of GitHub, GitLab, Gitea, Forgejo and Bitbucket, as
 * JSON or as a form with the JSON in `payload`. It answers 200 once the deploy is stored in the queue. A delivery with
 * several changes queues a deploy for each branch. A newer push replaces a waiting one of the same branch, which becomes
 * `superseded`.
 *
 * **Redeliveries** answer 200 again and deploy nothing more. For 30 days a delivery is recognised by the host's own id,
 * if a retry keeps the id and a new push has another: `X-GitHub-Delivery`, GitLab's `webhook-id` or `Idempotency-Key`,
 * Bitbucket Cloud's `X-Request-UUID`. Then only the id counts, so a branch that is moved back and forth deploys each
 * time. Otherwise (Gitea, Forgejo, Bitbucket Data Center, a hook of your own) the payload's bytes count. If the payload
 * does not name the commit before the push, it counts as a redelivery only until the branch is pushed again.
 *
 * **Filters.** A push that the filters of the application do not take (`replaceDeployFilters`) answers 202 with the reason. It
 * queues nothing and does not count towards the rate limit.
 *
 * **Signatures.** If the webhook has a `secret`, the host's own header is checked: `X-Hub-Signature-256` (GitHub,
 * Forgejo), `X-Gitea-Signature`, `X-Forgejo-Signature`, `X-Hub-Signature` (Bitbucket), `X-Gitlab-Token`, or
 * `webhook-signature` if the secret is a signing token of GitLab (`whsec_…`). A `webhook-signature` also covers
 * `webhook-timestamp`, which must be within five minutes of the server's clock.
 *
 * **Replies** other than 200 begin with their code and end with "Nothing was deployed." (429 is JSON, and its `message`
 * ends so). Pushes of tags and of deleted branches, filtered pushes, pings and other events answer 202 before the rate limit and do not
 * count towards it. Redeliveries and pushes that could not be stored (503) do not count either.
 *
 * **Pushes in quick succession.** A second push within 15 seconds answers 429. If the operator lets deploys coalesce
 * (`CUBBY_DEPLOY_COALESCE=on`), it answers 200 instead, for up to 20 pushes in 15 seconds. Deploys of a branch then begin
 * at least 15 seconds apart, and only the newest push of those in between is deployed.
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
 * First step for a command line or extension that needs its own key (RFC 8628). The client shows `user_code` and
 * `verification_uri`. A person opens the page, types the code and approves. Meanwhile the client asks for the key with
 * `device_code`.
 *
 * The key belongs to the account of the person who approves, has at most the requested scopes, and lasts 90 days.
 * Responses have the shapes of RFC 8628 and RFC 6749, without the envelope. The fields may have the names of RFC 8628,
 * `client_id` and `scope`, so that its clients need no change.
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
 * The page on which a person approves the key of a command line or extension. Signed out it asks for an API key of scope
 * `*`, signed in for the code that the client shows. The address takes no code, so nobody approves by following a link.
 * The page cannot be framed and runs no script.
 *
 * With `done` it shows the last decision of this sign-in, and may be reloaded. Without a sign-in it also sets the cookie
 * `cubby_form`, which belongs to the form's `form_token`. Errors are pages for clients that ask for HTML (`Accept`), and
 * the envelope for others.
 *
 */
export const showActivationPage = (options) => (options?.client ?? client).get({ url: '/activate', ...options });
/**
 * Sign in, type the code, decide
 *
 * Takes the forms of the activation page.
 *
 * - `sign_in` takes an API key of scope `*`.
 * - `look_up` takes the code. The response shows who asks, from which address and for which scopes.
 * - `approve` lets the client fetch its key, `refuse` ends the attempt. Both redirect to a page that says so (303).
 * - `sign_out` ends the sign-in. Otherwise it lasts an hour, or until the API key is revoked, gets a new secret or
 * expires.
 *
 * Every form returns the `form_token` of its page. `approve` and `refuse` return that of the page which showed the
 * request. A form from another site (`Sec-Fetch-Site`, `Origin`) answers INVALID_FORM_TOKEN.
 *
 * A code can be decided once. Five codes without a waiting request end the sign-in. With ten live keys `approve` answers
 * APIKEY_LIMIT_REACHED and decides nothing: revoke a key and approve again while the code is valid.
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
 * Returns the key once a person has approved. Ask every `interval` seconds. `authorization_pending` means: ask again.
 * `slow_down` means: ask again, with an interval that is 5 seconds longer. Every other error ends the attempt.
 *
 * The key is created by this request and returned once. After that the device code is unknown. An approval ends with the
 * API key of the person who gave it (`access_denied`). It waits while the account has ten live keys
 * (`authorization_pending`, whose description says so).
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
 * Serves the file of a temporary link. The link is the credential. Byte ranges and conditional requests work as in RFC
 * 9110; `HEAD` answers the headers only. An expired or invalid link answers 404, and so does a link whose file was
 * deleted, moved or changed visibility. One link allows 60 requests a minute from one address, all links of an account
 * 6,000.
 *
 * The operator may turn on image variants (`CUBBY_IMAGE_VARIANTS`). A JPEG, PNG, WebP or AVIF file is then served smaller
 * or in another format with `preset`, or with `w`, `h`, `fit`, `q` and `f`. These must be those of a preset, or carry a
 * signature in `sig`. A variant is one frame without metadata, turned upright, and never larger than the image. It has an
 * `ETag` of its own. Without image variants these parameters are ignored if they are in range.
 *
 * The operator may let clients read larger files from the store of the bytes. A `GET` without conditions then answers 307
 * to a signed address, valid for at most two minutes. Follow it, with the same `Range`. Requests with `If-…` headers,
 * `HEAD`, small files and types that a browser could take for a document are answered here.
 *
 */
export const openDownloadLink = (options) => (options.client ?? client).get({ baseUrl: hosts.files, url: '/d/{token}', ...options });
/**
 * Open a share link
 *
 * Serves the file of a share link. A private file is served from here; a public file gets a redirect to its public URL.
 * Byte ranges and conditional requests work as in RFC 9110; `HEAD` answers the headers only. One link allows 120 visits
 * a minute from one address.
 *
 * **Downloads.** A request without `Range` to a link with a cap uses one download. Each used download has an allowance
 * for 15 minutes, bound to address, user agent and version of the file. The allowance is the size plus the smaller of
 * the size and 16 MiB. Bytes are taken from it before they are sent, and unsent bytes are given back. A request with
 * `Range` is free while an allowance covers it; otherwise it uses a download. So segmented, resumed and probing clients
 * (`bytes=0-0`, then `bytes=0-`) use one. If the allowance ends in the middle of a response, the server closes the
 * connection.
 *
 * `HEAD`, 304, errors, landing pages, password pages and the card for known link-preview robots use no download. An
 * exhausted link still answers a range that an allowance covers.
 *
 * **A link with a landing page and a cap** serves its file only to the form of the page (`submitSharePassword`). Whatever
 * a client asks for here, it gets the page, with status 200, and uses no download: programs that check mails open every
 * address in them. Only a range that an allowance covers is answered with bytes, so a download that broke off goes on.
 *
 * **Bundles.** A link to several files has a page with all of them. Other clients, and `download=1`, get a ZIP archive,
 * stored without compression. Its length is exact and its ETag strong, and ranges work: it is resumed like a file. If a file
 * was added, replaced or removed meanwhile, the archive has another ETag, and `If-Range` then gives the whole new one. It
 * has no `Last-Modified`. `file` returns one file. With a cap, the archive uses one download, as a file does. Files that one
 * client takes one by one use one download together, within its allowance: 15 minutes, and the bytes of the archive plus the
 * smaller of these and 16 MiB.
 *
 * **Pages.** A client that asks for HTML (`Accept`) gets pages: the password page (401), the landing page if the link
 * was created with `landing`, and the errors. `download=1` skips the landing page of a link without a cap. Other clients
 * get the file, or the JSON envelope.
 *
 * **Passwords.** A link with a password serves its file to clients with the cookie that submitting the password sets. An
 * attempt on an unknown link takes as long as a wrong password. Unknown, revoked and removed links answer 404, exhausted
 * and expired ones 410.
 *
 * **Images.** Where the operator has turned on image variants, a link without a cap serves a JPEG, PNG, WebP or AVIF file
 * smaller or in another format with `preset`, or with `w`, `h`, `fit`, `q` and `f`, as a temporary link does. A signature
 * covers the path of the link. A variant counts as a download, and has no receipt. A link with a cap refuses them, because it
 * counts the bytes of its file, or shows its landing page.
 *
 * The operator may let clients read larger files from the store of the bytes. A `GET` without conditions then answers 307
 * to a signed address, valid for at most two minutes. Follow it, with the same `Range`. Requests with `If-…` headers,
 * `HEAD`, small files, links with a cap and types that a browser could take for a document are answered here.
 *
 */
export const openShare = (options) => (options.client ?? client).get({ baseUrl: hosts.files, url: '/s/{share_id}', ...options });
/**
 * Submit a form of a share link
 *
 * Takes the forms of a link's pages. Attempts count as visits. A form from another site (`Sec-Fetch-Site`, `Origin`)
 * answers INVALID_FORM_TOKEN.
 *
 * **The password page** sends `password`. The right one sets a cookie for this link and redirects back to it. The attempt
 * itself uses no download. A link without a password redirects back too.
 *
 * **The page before a file** sends `download=1`, or `file` for one file of a bundle. The response is the file. It is the
 * only way to begin a download of a link with `landing` and a cap, because programs that check mails open every address
 * in them, but send no forms. It opens every other link too. `Range` and conditions are ignored. A download that breaks
 * off goes on with `GET`, `Range` and `If-Range`, as `openShare` describes.
 *
 * A program may send `password` and `download` together. A wrong password then uses no download, and the right one sets
 * the cookie with the file. A known link-preview robot gets its card.
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
 * Open the page of a file request
 *
 * Shows what is asked for, what is accepted and until when, and the form for the files. It works without script, and
 * sends files one by one with it. A
 * request with a password shows the password page (401) to browsers that have not given it.
 *
 * Unknown and deleted requests answer 404, closed and expired ones 410. A full one shows a page that says so.
 *
 */
export const openFileRequest = (options) => (options.client ?? client).get({ baseUrl: hosts.files, url: '/r/{request_token}', ...options });
/**
 * Send files to a file request
 *
 * Takes the form of the page: multipart/form-data with up to 1000 files of any size up to 5 GiB. Each file is stored as
 * soon as it has arrived whole, and survives a power cut then. A file that cannot be stored stops no other one.
 *
 * A client that asks for HTML is redirected to the page with what it has sent. Other clients get the outcome of each file,
 * with a receipt. The cookie of either answer shows that page, and sends more as the same sender. If no file is stored,
 * the error is that of the first.
 *
 * A filename loses control characters, and folders named `.` or `..`. A name that is taken gets ` (2)`. A form from another
 * site (`Sec-Fetch-Site`, `Origin`) answers INVALID_FORM_TOKEN. The server closes the connection when a body brings less
 * than 64 KiB in a minute.
 *
 */
export const submitFiles = (options) => (options.client ?? client).post({
    ...formDataBodySerializer,
    baseUrl: hosts.files, url: '/r/{request_token}',
    ...options,
    headers: {
        'Content-Type': null,
        ...options.headers
    }
});
/**
 * Submit the password of a file request
 *
 * Takes the form of the password page. The right password sets a cookie for this request and redirects back to its page. A
 * request without a password redirects back too. An attempt on an unknown request takes as long as a wrong password. A form
 * from another site (`Sec-Fetch-Site`, `Origin`) answers INVALID_FORM_TOKEN.
 *
 */
export const submitRequestPassword = (options) => (options.client ?? client).post({
    ...urlSearchParamsBodySerializer,
    baseUrl: hosts.files, url: '/r/{request_token}/password',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});
/**
 * Show what a sender has sent
 *
 * Shows a browser what it has sent to the request, by the cookie that it got then: names, sizes, SHA-256, times, and the
 * files of the last form that were not stored. It stays after the request has ended, until it is deleted. Without that
 * cookie it answers NOTHING_SENT.
 *
 */
export const showSentFiles = (options) => (options.client ?? client).get({ baseUrl: hosts.files, url: '/r/{request_token}/sent', ...options });
/**
 * Fetch the receipt of a sender
 *
 * Returns a signed statement about the files that the sender with this cookie has sent, up to the newest 1000, as a compact
 * JWS (RFC 7515). `/v1/receipts/keys` has the keys to verify it. A file whose SHA-256 is not computed yet is left out.
 *
 */
export const getSentReceipt = (options) => (options.client ?? client).get({ baseUrl: hosts.files, url: '/r/{request_token}/receipt', ...options });
/**
 * Start sending a file to a file request
 *
 * Announces one file, whose bytes then follow in one request or several. A broken upload goes on where it stopped. The
 * file gets a place of the request, and its bytes are held until it is stored or given up. An empty file is stored at
 * once.
 *
 * The sender is the cookie of the page. Without one, the answer sets it. Send it with every further request. A sender may
 * have 16 unfinished uploads, and a request 100. An upload that gets no bytes for 24 hours is dropped.
 *
 * A request of another site (`Sec-Fetch-Site`, `Origin`) answers INVALID_FORM_TOKEN.
 *
 */
export const startSentUpload = (options) => (options.client ?? client).post({
    baseUrl: hosts.files, url: '/r/{request_token}/uploads',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Give up sending a file
 *
 * Drops an unfinished upload of this sender, with its bytes, and frees its place. It works after the end of the request
 * too. A stored file stays, and its upload answers 404. A request of another site answers INVALID_FORM_TOKEN.
 *
 */
export const deleteSentUpload = (options) => (options.client ?? client).delete({ baseUrl: hosts.files, url: '/r/{request_token}/uploads/{upload}', ...options });
/**
 * Offset of a file that is being sent
 *
 * Says how far an upload of this sender is. A request that still writes to it is ended first, so the next one may continue
 * at this offset. A file whose bytes have all come is stored first, if that was not done yet. A stored one is known for 24
 * hours. Uploads of other senders and requests look missing.
 *
 */
export const getSentUpload = (options) => (options.client ?? client).get({ baseUrl: hosts.files, url: '/r/{request_token}/uploads/{upload}', ...options });
/**
 * Send bytes of a file
 *
 * Appends the body at `Upload-Offset`, which must be where the upload stands (409 `UPLOAD_OFFSET_MISMATCH` names it). What
 * arrived before a connection broke is kept, so ask for the offset and continue there. A newer request ends an older one
 * on the same upload. With its last byte the file is stored as a file of the form is.
 *
 * Headers and Content-Type are those of the IETF draft of resumable uploads. `Upload-Complete` is not needed, because the
 * size is known. An upload that began before the deadline may go on for the grace of the request. A request of another
 * site answers INVALID_FORM_TOKEN.
 *
 */
export const putSentBytes = (options) => (options.client ?? client).patch({
    bodySerializer: null,
    baseUrl: hosts.files, url: '/r/{request_token}/uploads/{upload}',
    ...options,
    headers: {
        'Content-Type': 'application/partial-upload',
        ...options.headers
    }
});
/**
 * Fetch a public file
 *
 * Serves a public file on the public host. Byte ranges and conditional requests work as in RFC 9110; `HEAD` answers the
 * headers only. Types that a browser would run, or render as a document with script, are served as
 * `application/octet-stream` attachments. `key` may contain slashes.
 *
 * A file has one address, which every `url` in responses uses. Each segment of its key is percent-encoded as
 * `encodeURIComponent` does, with upper-case hex digits. Any other spelling that decodes to it (`%70hoto.png`,
 * `folder%2Fphoto.png`, a bare `+`) answers 301 to that address, because a CDN caches spellings separately and a purge
 * names one. Nothing else is normalised: `//`, a slash at the end, `.` and `..` are parts of a key or of none. A missing
 * or private file answers 404 in every spelling.
 *
 * Other parameters of the query are ignored, so `?v=2` may serve to bypass a browser's cache. Shared caches may keep a response to an address
 * with a query for at most 60 seconds (`s-maxage`), because no purge names it.
 *
 * For a file that expires, `max-age` never exceeds the time that is left.
 *
 * The operator may turn on image variants (`CUBBY_IMAGE_VARIANTS`). A JPEG, PNG, WebP or AVIF file is then served smaller
 * or in another format with `preset`, or with `w`, `h`, `fit`, `q` and `f`. These must be those of a preset, or carry a
 * signature in `sig`. A variant is one frame without metadata, turned upright, and never larger than the image. It has an
 * `ETag` of its own. Without image variants these parameters are ignored.
 *
 * The operator may let clients read larger files from the store of the bytes. A `GET` without conditions then answers 307
 * to a signed address, valid for at most two minutes. Follow it, with the same `Range`. Requests with `If-…` headers,
 * `HEAD`, small files and types that a browser could take for a document are answered here.
 *
 */
export const getPublicFile = (options) => (options.client ?? client).get({ baseUrl: hosts.public, url: '/{account_id}/{key}', ...options });
/**
 * Sign out as the operator
 *
 * Ends the session of this request and deletes its cookie. A request with the key itself has no session and answers
 * SESSION_NOT_FOUND.
 *
 */
export const deleteOperatorSession = (options) => (options?.client ?? client).delete({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/session',
    ...options
});
/**
 * Who is signed in as the operator
 *
 * Returns the operator key of the caller and the `csrf_token` of the session. A request with the key itself has no
 * session, so `id` and `csrf_token` are null.
 *
 */
export const getOperatorSession = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/session',
    ...options
});
/**
 * Sign in with an operator key
 *
 * Exchanges an operator key for a session of a browser, 12 hours long. The response sets the cookie
 * `__Host-cubby_operator`, which no script can read. The session ends earlier when its key expires or is revoked. A key has
 * at most 50 sessions: a further one ends the oldest.
 *
 * All methods except GET and HEAD need the `csrf_token` of the response in `X-Cubby-CSRF`. If `Authorization` is sent, the
 * cookie is ignored. Browsers keep the cookie only for https addresses, and for addresses of their own machine. If the
 * address of the operator's door is another one, this answers HTTPS_REQUIRED.
 *
 */
export const startOperatorSession = (options) => (options.client ?? client).post({
    baseUrl: hosts.operator, url: '/v2/operator/session',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List accounts
 *
 * Lists accounts, oldest first. `continuationToken` of a page requests the next page and is absent on the last one.
 *
 * The same as `cubby account list`.
 *
 */
export const listAccounts = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts',
    ...options
});
/**
 * Create an account
 *
 * Creates an account with one key that has full access. Only this response shows the key.
 *
 * The same as `cubby account create`.
 *
 */
export const createAccount = (options) => (options.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Delete an account
 *
 * Stops an account as a suspension does. After 7 days a job removes its files, keys, links and everything else of it. Until
 * then `restoreAccount` brings it back. May be sent twice; the 7 days begin with the first call.
 *
 * The same as `cubby account delete`.
 *
 */
export const deleteAccount = (options) => (options.client ?? client).delete({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}',
    ...options
});
/**
 * Read an account
 *
 * Returns an account and the number of its live keys.
 *
 * The same as `cubby account show`.
 *
 */
export const getAccount = (options) => (options.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}',
    ...options
});
/**
 * Change an account
 *
 * Changes the plan, the quota or the AI budget of an account, from its next request on. Fields that are left out stay. Files
 * beyond a quota stay, but uploads are refused. An AI budget of its own is for accounts on Enterprise only.
 *
 * The same as `cubby account set-plan`, `set-quota` and `set-ai-budget`.
 *
 */
export const updateAccount = (options) => (options.client ?? client).patch({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Suspend an account
 *
 * Stops an account. From the next request on, its keys, upload tokens and S3 key pairs answer 403 (ACCOUNT_SUSPENDED). Its
 * public files and links answer 404, as if they did not exist. Nothing is deleted. Copies in a CDN are purged
 * within moments if the server has a purge hook, and stay until they expire otherwise. Deploys that wait run after it has
 * ended. May be sent twice.
 *
 * The same as `cubby account suspend`.
 *
 */
export const suspendAccount = (options) => (options.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/suspend',
    ...options
});
/**
 * Resume an account
 *
 * Ends the suspension of an account. Its keys, files and links work again from the next request on. May be sent twice.
 *
 * The same as `cubby account resume`.
 *
 */
export const resumeAccount = (options) => (options.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/resume',
    ...options
});
/**
 * Restore a deleted account
 *
 * Brings back an account that was deleted less than 7 days ago. A suspension of before stays. May be sent twice.
 *
 * The same as `cubby account restore`.
 *
 */
export const restoreAccount = (options) => (options.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/restore',
    ...options
});
/**
 * Read the usage of an account
 *
 * Returns what the account stores, what its plan includes and what the rest would cost, as `GET /v1/account/stats` shows it
 * to the account.
 *
 * The same as `cubby account usage`.
 *
 */
export const getAccountUsage = (options) => (options.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/usage',
    ...options
});
/**
 * Read the AI usage of an account
 *
 * Returns charged requests and tokens of the AI gateway, added up by day, key and model, in this order. Days are those on which
 * the requests began, in UTC. They are kept for 400 days.
 *
 * The same as `cubby account ai-usage`.
 *
 */
export const getAccountAiUsage = (options) => (options.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/usage/ai',
    ...options
});
/**
 * List the keys of an account
 *
 * Lists all keys that the account ever had, oldest first, also revoked and expired ones. Secrets are never shown.
 *
 * The same as `cubby key list`.
 *
 */
export const listAccountKeys = (options) => (options.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/keys',
    ...options
});
/**
 * Create a key for an account
 *
 * Creates an API key of the account. Only this response shows its secret. An account may have 10 live keys.
 *
 * The same as `cubby key create`.
 *
 */
export const createAccountKey = (options) => (options.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/keys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List the applications of an account
 *
 * Lists the applications of the account, the built-in one first.
 *
 * The same as `cubby app list`.
 *
 */
export const listAccountApps = (options) => (options.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/apps',
    ...options
});
/**
 * Create an application
 *
 * Creates an application of the account. Two may have the same name.
 *
 * The same as `cubby app create`.
 *
 */
export const createAccountApp = (options) => (options.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/accounts/{account_id}/apps',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * Revoke a key of an account
 *
 * Ends a key of any account at once, with its S3 pair and its upload tokens. May be sent twice.
 *
 * The same as `cubby key revoke`.
 *
 */
export const revokeAccountKey = (options) => (options.client ?? client).delete({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/keys/{id}',
    ...options
});
/**
 * Change the AI limits of a key of an account
 *
 * Changes the limits of a live key of any account in the AI gateway, from its next request on. A limit that is left out stays,
 * null removes it, and `ai: null` removes all of them.
 *
 * The same as `cubby key set-ai-limits`.
 *
 */
export const updateAccountKey = (options) => (options.client ?? client).patch({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/keys/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List background jobs
 *
 * Lists the background jobs in the order in which they run, with the last run of each on any server or command line.
 *
 * The same as `cubby jobs list`.
 *
 */
export const listJobs = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/jobs',
    ...options
});
/**
 * Run a background job
 *
 * Runs a job once, now, and answers when it is done. If it takes longer than two seconds, the response is 202, and the job
 * goes on: `GET /v2/operator/jobs` shows its end. Requests for a job that goes on begin no second run of it. After a jump of
 * the clock, jobs that delete things answer CLOCK_JUMPED until the clock is confirmed.
 *
 * The same as `cubby jobs run`, which waits for the end.
 *
 */
export const runJob = (options) => (options.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/jobs/{job}/run',
    ...options
});
/**
 * Confirm the clock
 *
 * Lets automatic deletion continue after a jump of the clock. Check the clock of the machine first.
 *
 * The same as `cubby jobs confirm-clock`.
 *
 */
export const confirmClock = (options) => (options?.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/clock/confirm',
    ...options
});
/**
 * Read the configuration
 *
 * Lists the settings in force on the server that answers. Secrets are never shown.
 *
 * The same as `cubby config check`.
 *
 */
export const getConfiguration = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/configuration',
    ...options
});
/**
 * Read the capacity
 *
 * Returns the version, what all accounts store, the room on the disk and the work that waits.
 *
 * The same as `cubby installation show`.
 *
 */
export const getInstallation = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/installation',
    ...options
});
/**
 * List backups
 *
 * Lists the generations in the target of backups (`CUBBY_BACKUP_TARGET`), oldest first. Each of them can be restored.
 * Before the first backup there are none. If there was a backup and the target does not have it any more, for instance
 * because its disk is not mounted, the response is BACKUP_TARGET_UNUSABLE.
 *
 * The same as `cubby backup --list`.
 *
 */
export const listBackups = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/backups',
    ...options
});
/**
 * Start a backup
 *
 * Starts a backup to the target of backups (`CUBBY_BACKUP_TARGET`) and answers at once. `GET /v2/operator/upkeep` shows how
 * far it is, and why it failed. It goes on without the client, and ends with the server that runs it. A backup that was cut
 * off goes on with the next one. The 14 newest generations are kept.
 *
 * If the database is PostgreSQL, the backup has the larger files alone, and `includes_rows` is `false`. The server makes no
 * dump. Copy the database with its own tools before you call this, or use `cubby backup --dump`, which keeps that order.
 *
 * The same as `cubby backup`, which waits for the end.
 *
 */
export const startBackup = (options) => (options?.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/backups',
    ...options
});
/**
 * Read the progress of backups and the scrub
 *
 * Returns the last backup to each target, running or ended, and how far the scrub is. It does not matter which server or
 * command runs them. Figures of a running backup are up to some seconds old.
 *
 * The same as `cubby upkeep show`.
 *
 */
export const getUpkeep = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/upkeep',
    ...options
});
/**
 * Start a scrub
 *
 * Starts a round of the scrub that does not wait for its days: a server reads all files, and compares them with their
 * hashes, resting as long as it works. It answers at once. `GET /v2/operator/upkeep` shows how far it is. A round that an
 * operator started before goes on, and is not begun anew. This works with `CUBBY_SCRUB_DAYS=0` too.
 *
 * The same as `cubby scrub start`.
 *
 */
export const startScrub = (options) => (options?.client ?? client).post({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/scrub',
    ...options
});
/**
 * List waiting purges
 *
 * Lists the public addresses that the CDN has yet to drop, oldest change first. `continuationToken` of a page requests the
 * next page and is absent on the last one.
 *
 * The same as `cubby purges list`.
 *
 */
export const listPurges = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/purges',
    ...options
});
/**
 * Read the audit log
 *
 * Lists what operators, keys and the server did, oldest first. `continuationToken` of a page requests the next page and is
 * absent on the last one.
 *
 * The same as `cubby audit export`.
 *
 */
export const listAuditEntries = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/audit',
    ...options
});
/**
 * Check the audit log
 *
 * Checks that no entry of the audit log was changed, removed or moved. Reads the whole log.
 *
 * The same as `cubby audit verify`.
 *
 */
export const verifyAuditLog = (options) => (options?.client ?? client).get({
    security: [{
            key: 'operatorKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    baseUrl: hosts.operator, url: '/v2/operator/audit/verify',
    ...options
});
/**
 * Check that the process is alive
 *
 * Answers 200 while the process runs. For a supervisor that restarts it.
 */
export const getLiveness = (options) => (options?.client ?? client).get({ url: '/livez', ...options });
/**
 * Check that the process can serve
 *
 * Answers 200 while the stores respond and no stop is under way. For a load balancer. A full disk leaves it at 200,
 * because reading and deleting still work; `storage` then is `full`. So does a bucket that does not work: `large_files`
 * then is `unavailable`.
 *
 */
export const getReadiness = (options) => (options?.client ?? client).get({ url: '/readyz', ...options });
/**
 * Counters for Prometheus
 *
 * Returns counters, gauges and histograms in the Prometheus text format. They name no account, key or file.
 */
export const getMetrics = (options) => (options?.client ?? client).get({ baseUrl: hosts.operator, url: '/metrics', ...options });
