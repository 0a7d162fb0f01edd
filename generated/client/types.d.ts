export type ClientOptions = {
    baseUrl: `${string}://{api_url}` | `${string}://${string}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{public_url}` | (string & {});
};
/**
 * `pub/<account_id>/<key>` (public), `prv/<account_id>/<key>` (private), or `<account_id>/<key>` for a legacy file.
 * Opaque to clients; it changes when the visibility or the expiry changes.
 *
 */
export type ObjectId = string;
/**
 * ISO 8601 in UTC with milliseconds.
 */
export type Timestamp = string;
/**
 * A file in a list.
 */
export type ObjectEntry = {
    id: ObjectId;
    /**
     * Bytes of the file.
     */
    size: number;
    created_at: Timestamp;
    expires_at?: Timestamp;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file, and for a legacy file whose URL serves the public file of the same key.
     */
    url: string | null;
    /**
     * Changes when the content changes; without quotes.
     */
    etag: string;
};
/**
 * One page of the list of files.
 */
export type ObjectPage = {
    /**
     * The files of this page, in byte order of their keys within each space.
     */
    objects: Array<ObjectEntry>;
    /**
     * Whole key prefixes that end in `/`; present when `delimiter` was sent.
     */
    folders?: Array<string>;
    /**
     * Asks for the next page; absent on the last.
     */
    continuationToken?: string;
};
/**
 * Every code that the storage and application API can answer. Each has one HTTP status wherever it occurs.
 * `x-enum-descriptions` says of each its HTTP status, what it means and what to do about it; the server answers the
 * words in between as `message`.
 *
 */
export type ErrorCode = 'ACCESS_DENIED' | 'MISSING_SCOPE' | 'RESOURCE_NOT_ALLOWED' | 'PREFIX_NOT_ALLOWED' | 'PREFIX_REQUIRED' | 'UPLOAD_TOKEN_NOT_ALLOWED' | 'UPLOAD_TOKEN_USED' | 'UPLOAD_TOKEN_TOO_LARGE' | 'ORIGIN_NOT_ALLOWED' | 'PERMISSION_DENIED' | 'UPGRADE_REQUIRED' | 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_UPLOADS' | 'INTERNAL_SERVER_ERROR' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'INVALID_BODY' | 'BODY_TOO_LARGE' | 'INVALID_OBJECT' | 'OBJECT_NOT_FOUND' | 'OBJECT_ALREADY_EXISTS' | 'OBJECT_IS_LEGACY' | 'SAME_OBJECT' | 'TOO_MANY_OBJECTS' | 'NOTHING_TO_UPDATE' | 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OVERWRITE' | 'INVALID_CHECKSUM' | 'CHECKSUM_MISMATCH' | 'INVALID_FILE' | 'INVALID_FILE_TYPE' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'FILE_TOO_SMALL' | 'FILE_TOO_LARGE' | 'INVALID_CONTENT_TYPE' | 'STORAGE_QUOTA_EXCEEDED' | 'INSUFFICIENT_STORAGE' | 'UPLOAD_FAILED' | 'LIST_FAILED' | 'DELETE_FAILED' | 'COPY_FAILED' | 'UPDATE_FAILED' | 'VISIBILITY_CHANGE_FAILED' | 'PRIVATE_STORAGE_UNAVAILABLE' | 'PUBLIC_STORAGE_UNAVAILABLE' | 'INVALID_CONTINUATION_TOKEN' | 'INVALID_LIMIT' | 'INVALID_DELIMITER' | 'INVALID_DESTINATION' | 'INVALID_MOVE' | 'INVALID_DOWNLOAD_EXPIRES' | 'INVALID_REDIRECT' | 'INVALID_FILENAME' | 'INVALID_UPLOAD_TOKEN' | 'UPLOAD_NOT_FOUND' | 'TOO_MANY_OPEN_UPLOADS' | 'TOO_MANY_CONCURRENT_CHUNKS' | 'INVALID_CHUNK_PART' | 'CHUNK_TOO_LARGE' | 'CHUNK_TOO_SMALL' | 'EMPTY_CHUNK' | 'NO_CHUNKS_UPLOADED' | 'INVALID_SIZE' | 'SIZE_MISMATCH' | 'INVALID_MAX_SIZE' | 'INVALID_ALLOWED_EXTENSIONS' | 'INVALID_ALLOWED_ORIGINS' | 'INVALID_EXPIRES_IN' | 'INVALID_MAX_USES' | 'INVALID_MAX_DOWNLOADS' | 'INVALID_PASSWORD' | 'INVALID_LANDING' | 'INVALID_SHARE' | 'SHARE_NOT_FOUND' | 'TOO_MANY_SHARES' | 'SHARE_PASSWORD_REQUIRED' | 'SHARE_EXHAUSTED' | 'SHARE_EXPIRED' | 'LINK_NOT_FOUND' | 'API_KEY_REQUIRED' | 'LEGACY_API_KEY' | 'INVALID_CREDENTIAL' | 'INVALID_RULES' | 'TOO_MANY_RULES' | 'INVALID_RULE_PREFIX' | 'DUPLICATE_RULE_PREFIX' | 'INVALID_RULE_PRIVATE' | 'INVALID_RULE_EXPIRE' | 'INVALID_RULE_MAX_SIZE' | 'INVALID_RULE_EXTENSIONS' | 'INVALID_RULE_CACHE_CONTROL' | 'INVALID_RULE_DELETE_AFTER' | 'INVALID_KEY_NAME' | 'INVALID_SCOPES' | 'INVALID_RESOURCES' | 'INVALID_PREFIXES' | 'CONFLICTING_RESOURCES' | 'APIKEY_LIMIT_REACHED' | 'APIKEY_NOT_FOUND' | 'APP_NOT_FOUND' | 'INVALID_ACCESS_TOKEN' | 'INVALID_SECRET' | 'INVALID_TIME_RANGE' | 'INVALID_INCLUDE_4XX' | 'UNABLE_TO_FETCH_ERRORS' | 'KEEP_CALM' | 'INVALID_USER_CODE' | 'INVALID_FORM_TOKEN' | 'NOT_READY' | 'STORAGE_UNAVAILABLE' | 'MALFORMED_REQUEST' | 'HEADERS_TOO_LARGE' | 'REQUEST_TIMEOUT';
/**
 * The error shape of the storage and application API.
 */
export type Error = {
    /**
     * Says that the request was refused.
     */
    status: 'error';
    code: ErrorCode;
    /**
     * What happened and what to do next, for people. Its wording may change.
     */
    message?: string;
    /**
     * The prefix of the rule that the error is about.
     */
    prefix?: string;
};
/**
 * 1 to 128 letters, digits, `_`, `.` and `-`, without an extension. It does not end in an expiry mark (`-ex7`, `-ex6h`).
 */
export type ObjectName = string;
/**
 * 1 to 8 folders joined by `/`, each of 1 to 64 letters, digits, `_`, `.` and `-`; 256 characters in all. A trailing `/` is dropped.
 * An empty one means none.
 *
 */
export type ObjectPrefixOrNone = string;
/**
 * Days (`30` or `30d`) or hours (`6h`), from 1 hour to 1825 days. Below 7 days needs Enterprise.
 */
export type Duration = string;
/**
 * Whether a browser shows the file or saves it.
 */
export type Disposition = 'inline' | 'attachment';
/**
 * `immutable`, `max-age=N` with N from 60 to 31536000 seconds, or `no-cache` (Enterprise).
 */
export type CacheControl = string;
/**
 * SHA-256 in lowercase hex.
 */
export type Sha256 = string;
/**
 * A form with one file.
 */
export type FileUpload = {
    /**
     * The file, with its filename.
     */
    file: Blob | File;
};
/**
 * A file that was just stored.
 */
export type UploadedObject = {
    id: ObjectId;
    /**
     * The name as sent or pinned.
     */
    name: string;
    /**
     * The prefix as sent or pinned, without a trailing `/`; absent when there is none.
     */
    prefix?: string;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    sha256: Sha256;
    /**
     * Whether an earlier file of that name was replaced.
     */
    replaced: boolean;
    expires_at?: Timestamp;
};
/**
 * The files to delete - `object` or `objects`.
 */
export type DeleteRequest = {
    object?: ObjectId;
    /**
     * Ids of the files, up to 100.
     */
    objects?: Array<ObjectId>;
};
/**
 * Present when several files were named.
 */
export type DeletionReport = {
    /**
     * Ids of the files that are deleted.
     */
    deleted: Array<ObjectId>;
    /**
     * Ids under which there was no file.
     */
    not_found: Array<ObjectId>;
    /**
     * Files that are still there, because they could not be deleted. Delete them again.
     */
    failed: Array<{
        id: ObjectId;
        /**
         * Why the file could not be deleted.
         */
        code: 'DELETE_FAILED';
    }>;
};
/**
 * As a duration string, or as a number of whole days; null means never. From 1 hour to 1825 days; below 7 days needs Enterprise.
 */
export type JsonDurationOrNull = string | null | number;
/**
 * Keys to set, or to remove with a null value; null in place of the object removes all; an empty
 * object asks for no change. After the change a file has up to
 * 5 keys and 512 bytes of keys and values; values hold no control characters, such as line ends.
 * Setting needs Pro or Enterprise, removing does not.
 *
 */
export type MetadataChange = {
    [key: string]: string | null;
} | null;
/**
 * The files to change - `object` or `objects` - and the changes, at least one.
 */
export type UpdateRequest = {
    object?: ObjectId;
    /**
     * Ids of the files, up to 50.
     */
    objects?: Array<ObjectId>;
    /**
     * `true` makes the file private, `false` publishes it.
     */
    private?: boolean;
    /**
     * The new expiry, counted from now; null keeps the file for good.
     */
    expire?: JsonDurationOrNull;
    /**
     * `immutable`, `max-age=N` with N from 60 to 31536000 seconds, or `no-cache` (Enterprise); null removes it.
     */
    cache_control?: string | null;
    /**
     * Whether a browser shows the file or saves it; null removes it.
     */
    disposition?: 'inline' | 'attachment' | null;
    metadata?: MetadataChange;
};
/**
 * The file is changed.
 */
export type UpdatedObject = {
    /**
     * The id as sent.
     */
    object: string;
    /**
     * Says that the file is changed.
     */
    ok: true;
    /**
     * Whether the id changed; then links to the old one stop working.
     */
    changed: boolean;
    id: ObjectId;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * When the file is deleted; null means never.
     */
    expires_at: Timestamp | null;
};
/**
 * The file could not be changed as asked; `code` says why.
 */
export type UpdateFailure = {
    /**
     * The id as sent.
     */
    object: string;
    /**
     * Says that the file is as it was.
     */
    ok: false;
    /**
     * Why the file could not be changed.
     */
    code: 'OBJECT_NOT_FOUND' | 'PERMISSION_DENIED' | 'OBJECT_IS_LEGACY' | 'INVALID_OBJECT_METADATA' | 'VISIBILITY_CHANGE_FAILED' | 'PRIVATE_STORAGE_UNAVAILABLE' | 'PUBLIC_STORAGE_UNAVAILABLE' | 'UPDATE_FAILED';
};
/**
 * What became of one file.
 */
export type UpdateResult = UpdatedObject | UpdateFailure;
/**
 * What became of each file of an update.
 */
export type UpdateReport = {
    /**
     * One result for each file, in the order of the request.
     */
    results: Array<UpdateResult>;
};
/**
 * Everything that is known of a file.
 */
export type ObjectInfo = {
    id: ObjectId;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * The Content-Type that is served, derived from the extension.
     */
    content_type: string;
    /**
     * Changes when the content changes; without quotes.
     */
    etag: string;
    created_at: Timestamp;
    /**
     * When the file is deleted; null means never.
     */
    expires_at: Timestamp | null;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file, and for a legacy file whose URL serves the public file of the same key.
     */
    url: string | null;
    /**
     * The Cache-Control header as served, when one was set; null means the default of the public host, `public, max-age=60`.
     */
    cache_control: string | null;
    /**
     * The Content-Disposition header as served; null when none is.
     */
    content_disposition: string | null;
    /**
     * The filename as uploaded.
     */
    original_name: string | null;
    /**
     * The metadata that was set, keys and values; empty when there is none.
     */
    metadata: {
        [key: string]: string;
    };
    /**
     * Uploaded before the September 2026 update.
     */
    legacy: boolean;
    /**
     * SHA-256 of the bytes; null while it is not known, as after a large upload whose parts came out of order.
     */
    sha256: Sha256 | null;
};
/**
 * Which file is written again, and where.
 */
export type CopyRequest = {
    source: ObjectId;
    /**
     * Where the copy goes.
     */
    destination: {
        name: ObjectName;
        prefix?: ObjectPrefixOrNone;
        /**
         * Whether the copy is private. Default - as the source, or private where the rule of its prefix says so.
         */
        private?: boolean;
        /**
         * The copy's expiry, counted from now; null keeps it for good. Default - the source's date.
         */
        expire?: JsonDurationOrNull;
        /**
         * Adds a random hash to the stored name. Private copies always carry it; `false` beside a private copy is refused with INVALID_OBJECT_SECURITY_HASH.
         */
        security_hash?: boolean;
    };
    /**
     * Removes the source once the copy is stored.
     */
    move?: boolean;
    /**
     * Replaces a file that is at the destination; otherwise that answers 409.
     */
    overwrite?: boolean;
};
/**
 * A file that was copied or moved, as it is now.
 */
export type CopiedObject = {
    id: ObjectId;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    expires_at?: Timestamp;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * The id of the source as sent.
     */
    source: string;
    /**
     * Whether the source is gone.
     */
    moved: boolean;
    /**
     * Whether an earlier file at the destination was replaced.
     */
    replaced: boolean;
};
/**
 * An address from which a file can be fetched without a credential.
 */
export type DownloadLink = {
    /**
     * A temporary link on the files host, or the public URL.
     */
    url: string;
    /**
     * When a temporary link ends, which is never after its file expires; null for the public URL, which does not.
     */
    expires_at: Timestamp | null;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * The Content-Type that is served.
     */
    content_type: string;
};
/**
 * Names one chunked upload, together with the account of the credential; opaque. The same string wherever it appears.
 */
export type ChunkedUploadHandle = string;
/**
 * A stored part.
 */
export type ChunkedPart = {
    /**
     * Its number; above 2048 only in an upload begun over S3.
     */
    part: number;
    /**
     * Its bytes; above 32 MiB, and 0, only in an upload begun over S3.
     */
    size: number;
    /**
     * Changes when its bytes change; without quotes.
     */
    etag: string;
};
/**
 * What is stored of an open upload.
 */
export type ChunkedUploadStatus = {
    id: ObjectId;
    /**
     * The stored parts by number; an upload begun over S3 may have up to 10000.
     */
    parts: Array<ChunkedPart>;
    /**
     * The lowest part number that is not stored; 2049 when all are, 10001 for an upload begun over S3.
     */
    next_part: number;
    /**
     * Bytes of the stored parts.
     */
    size_so_far: number;
};
/**
 * An upload that takes parts now, and the file that it will become.
 */
export type StartedChunkedUpload = {
    upload: ChunkedUploadHandle;
    id: ObjectId;
    /**
     * Whether the file will be private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL that the file will have; null for a private file.
     */
    url: string | null;
    expires_at?: Timestamp;
    /**
     * What the parts may be.
     */
    chunk: {
        /**
         * Least bytes of a part that is not the last.
         */
        min_size: 5242880;
        /**
         * Most bytes of a part.
         */
        max_size: 33554432;
        /**
         * Most parts of an upload.
         */
        max_parts: 2048;
        /**
         * Most bytes of the whole file; lowered by a rule or token and by what is left of the quota.
         */
        max_object_size: number;
    };
};
/**
 * Names an open chunked upload.
 */
export type ChunkedUploadReference = {
    upload: ChunkedUploadHandle;
};
/**
 * It is done; there is nothing more to say.
 */
export type Success = {
    /**
     * Says that it is done.
     */
    status: 'success';
};
/**
 * Names the upload to complete, and perhaps the checksum of the whole file.
 */
export type ChunkedUploadCompletion = {
    upload: ChunkedUploadHandle;
    /**
     * SHA-256 of the whole file; when its bytes have another, it is not completed.
     */
    checksum_sha256?: Sha256;
};
/**
 * The file that an upload has become.
 */
export type CompletedChunkedUpload = {
    id: ObjectId;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    expires_at?: Timestamp;
    /**
     * Bytes of the whole file; below 512 only for an upload begun over S3.
     */
    size: number;
    /**
     * How many parts it was made of; above 2048 only for an upload begun over S3.
     */
    parts: number;
    /**
     * Null when the parts of a large file came out of order and no checksum was sent; the file's details show it later.
     */
    sha256: Sha256 | null;
};
/**
 * A chunked upload that is not completed yet.
 */
export type OpenChunkedUpload = {
    id: ObjectId;
    initiated: Timestamp;
    upload: ChunkedUploadHandle;
};
/**
 * The open chunked uploads of an account.
 */
export type OpenChunkedUploads = {
    /**
     * The uploads, oldest first.
     */
    uploads: Array<OpenChunkedUpload>;
};
/**
 * A lowercase file extension without a dot at its start, such as `pdf` or `tar.gz`.
 */
export type Extension = string;
/**
 * Up to 5 keys of lowercase letters, digits and `-`, which do not begin with `cubby-`; 512 bytes of keys and values
 * in all. Values hold no control characters, such as line ends.
 *
 */
export type Metadata = {
    [key: string]: string;
};
/**
 * What an upload token pins, how long it works and how often.
 */
export type NewUploadToken = {
    name?: ObjectName;
    prefix?: ObjectPrefixOrNone;
    /**
     * Whether the files are private.
     */
    private?: boolean;
    /**
     * `false` leaves the hash off, so that an upload replaces the file of that name; it goes only beside `name`. Without `name` files
     * always get the hash, and private files always carry it.
     *
     */
    security_hash?: boolean;
    /**
     * When the files are deleted, counted from their upload; null keeps them for good.
     */
    expire?: JsonDurationOrNull;
    /**
     * Most bytes of a file.
     */
    max_size?: number;
    /**
     * The extensions that are taken; an entry fits the whole suffix or its last part. Types that are blocked everywhere stay blocked.
     */
    allowed_extensions?: Array<Extension>;
    /**
     * The pages from which the token may be used, each as scheme, host and perhaps port, without path or wildcard. A request
     * with another `Origin`, also `null`, answers 403. One without `Origin` passes: browsers send it with every upload, and
     * what is no browser could write any.
     *
     */
    allowed_origins?: Array<string>;
    /**
     * Added to every file (Pro and Enterprise).
     */
    metadata?: Metadata;
    /**
     * For how many seconds the token works; no longer than the key that mints it.
     */
    expires_in?: number;
    /**
     * How many uploads it may start.
     */
    max_uses?: number;
};
/**
 * A token with which a browser uploads. No later answer shows it.
 */
export type UploadToken = {
    /**
     * The token, for the `Authorization` header of uploads. Opaque.
     */
    token: string;
    expires_at: Timestamp;
    /**
     * How many uploads it may start.
     */
    max_uses: number;
};
/**
 * Id of a share link, also the last part of its address.
 */
export type ShareId = string;
/**
 * A share link.
 */
export type Share = {
    id: ShareId;
    /**
     * The link, on the files host.
     */
    url: string;
    object: ObjectId;
    /**
     * When the link ends - at its own time, or when its file expires if that is sooner.
     */
    expires_at: Timestamp;
    /**
     * How many downloads are left; null means no cap.
     */
    remaining_downloads: number | null;
    /**
     * Whether a password is asked for.
     */
    password: boolean;
    /**
     * Whether a browser sees a page before the file.
     */
    landing: boolean;
    created_at: Timestamp;
};
/**
 * The share links of an account.
 */
export type Shares = {
    /**
     * The links, newest first.
     */
    shares: Array<Share>;
};
/**
 * The file of a share link, and what limits the link.
 */
export type NewShare = {
    object: ObjectId;
    /**
     * For how many seconds the link works.
     */
    expires_in?: number;
    /**
     * How many downloads the link gives. Default - no cap.
     */
    max_downloads?: number;
    /**
     * Asked for before the file is given (Pro and Enterprise). Any characters that a person can type, so no control characters.
     */
    password?: string;
    /**
     * Shows a browser a page with name and size before the file.
     */
    landing?: boolean;
};
/**
 * A share link that was just made.
 */
export type CreatedShare = {
    id: ShareId;
    /**
     * The link, on the files host.
     */
    url: string;
    object: ObjectId;
    /**
     * When the link ends - at its own time, or when its file expires if that is sooner.
     */
    expires_at: Timestamp;
    /**
     * How many downloads it gives; null means no cap.
     */
    max_downloads: number | null;
    /**
     * Whether a password is asked for.
     */
    password: boolean;
    /**
     * Whether a browser sees a page before the file.
     */
    landing: boolean;
    /**
     * The file can also be fetched at its public URL, so that password, cap and expiry do not protect it.
     */
    object_is_public: boolean;
    /**
     * A warning for people, with a public file alone.
     */
    message?: string;
};
/**
 * Names a share link.
 */
export type ShareReference = {
    id: ShareId;
};
/**
 * Everywhere, nowhere, or within these prefixes.
 */
export type S3Access = boolean | Array<string>;
/**
 * The key pair of the S3-compatible gateway that belongs to an API key.
 */
export type S3Credentials = {
    /**
     * `CB`, the account id and a suffix.
     */
    access_key_id: string;
    /**
     * The secret; it gives the same access as the API key.
     */
    secret_access_key: string;
    /**
     * The address of the S3-compatible gateway.
     */
    endpoint: string;
    /**
     * The region to configure; there is one.
     */
    region: 'auto';
    /**
     * The buckets that there are.
     */
    buckets: Array<'public' | 'private' | 'legacy'>;
    /**
     * What the pair may do.
     */
    access: {
        read: S3Access;
        write: S3Access;
    };
    /**
     * When the pair ends, with its key; null means never.
     */
    expires_at: Timestamp | null;
};
/**
 * What holds for files under one prefix. The longest matching prefix wins. An option that is not set is absent.
 */
export type Rule = {
    /**
     * The prefix, with a trailing `/`.
     */
    prefix: string;
    /**
     * Whether new files are private when the upload does not say.
     */
    private?: boolean;
    expire?: Duration;
    /**
     * Most bytes of a file.
     */
    max_size?: number;
    /**
     * The extensions that are taken.
     */
    extensions?: Array<Extension>;
    cache_control?: CacheControl;
    /**
     * Files are deleted this many days after they were written.
     */
    delete_after_days?: number;
    created_at: Timestamp;
    /**
     * When automatic deletion starts, 24 hours after the rule was saved; present with `delete_after_days`.
     */
    active_from?: Timestamp;
};
/**
 * The prefix rules of an account.
 */
export type Settings = {
    /**
     * The rules by prefix.
     */
    rules: Array<Rule>;
};
/**
 * 1 to 8 folders joined by `/`, each of 1 to 64 letters, digits, `_`, `.` and `-`; 256 characters in all. A trailing `/` is dropped.
 */
export type ObjectPrefix = string;
/**
 * As a duration string, or as a number of whole days. From 1 hour to 1825 days; below 7 days needs Enterprise.
 */
export type JsonDuration = Duration | number;
/**
 * What holds for files under one prefix. The longest matching prefix wins.
 */
export type NewRule = {
    prefix: ObjectPrefix;
    /**
     * Whether new files are private when the upload does not say.
     */
    private?: boolean;
    /**
     * When new files are deleted when the upload does not say.
     */
    expire?: JsonDuration;
    /**
     * Most bytes of a file. Holds for REST uploads and for copies and moves, over S3 too; not for S3 uploads.
     */
    max_size?: number;
    /**
     * The extensions that are taken; an entry fits the whole suffix or its last part. Holds for REST uploads and for copies and moves, over S3 too; not for S3 uploads.
     */
    extensions?: Array<Extension>;
    /**
     * Cache-Control of new files when the upload does not say.
     */
    cache_control?: CacheControl;
    /**
     * Files are deleted this many days after they were written, those that are there already and those written over S3 too. This cannot be undone. Below 7 needs Enterprise.
     */
    delete_after_days?: number;
};
/**
 * The new list of prefix rules.
 */
export type NewSettings = {
    /**
     * The new list. The plan may allow fewer.
     */
    rules: Array<NewRule>;
};
/**
 * What an account stores, what its plan includes, and what the rest would cost.
 */
export type AccountStats = {
    /**
     * What is stored now.
     */
    usage: {
        /**
         * Files.
         */
        objects: number;
        /**
         * Bytes of the files; parts of open uploads are not among them.
         */
        storage: number;
    };
    /**
     * What the plan of the account includes.
     */
    plan: {
        /**
         * Bytes that the plan includes.
         */
        included: number;
    };
    /**
     * What this would cost; an estimate in Brazilian reais (BRL).
     */
    billing: {
        /**
         * Bytes over the plan.
         */
        extraStorage: number;
        /**
         * BRL for the bytes over the plan, 0.20 for each started GiB.
         */
        storagePrice: number;
        /**
         * BRL for the files; reserved, always 0.
         */
        objectsPrice: 0;
        /**
         * BRL in all, for this calendar month.
         */
        totalEstimate: number;
    };
    /**
     * This calendar month in UTC.
     */
    month: {
        /**
         * Whole days of it seen so far.
         */
        days: number;
        /**
         * Mean of the stored bytes over those days; it may have a fraction.
         */
        average_storage: number;
    };
};
/**
 * What a key may do; `*` alone is full access, future scopes included.
 */
export type ApiKeyScopes = [
    '*'
] | Array<'account:read' | 'apps:read' | 'apps:control' | 'apps:write' | 'apps:deploy' | 'files:read' | 'files:write' | 'envs:read' | 'envs:write' | 'snapshots:read' | 'snapshots:write' | 'databases:read' | 'databases:write' | 'databases:credentials' | 'workspaces:manage' | 'ai:chat' | 'blob:read' | 'blob:write'>;
/**
 * An API key, without its secret.
 */
export type ApiKey = {
    /**
     * Id of the key; not secret.
     */
    id: string;
    /**
     * The name that was given to it, for people.
     */
    name: string;
    scopes: ApiKeyScopes;
    /**
     * The applications to which the key is restricted; absent when it is not.
     */
    resources?: Array<string>;
    /**
     * The prefixes to which the key is restricted; absent when it is not.
     */
    prefixes?: Array<string>;
    created_at: Timestamp;
    /**
     * When a request last carried it; null before the first.
     */
    last_used_at: Timestamp | null;
    /**
     * When the key ends; null means never.
     */
    expires_at: Timestamp | null;
    /**
     * The last four characters of the secret.
     */
    last4: string;
};
/**
 * The live API keys of an account.
 */
export type ApiKeys = {
    /**
     * The keys, oldest first.
     */
    keys: Array<ApiKey>;
};
/**
 * Name, scopes and restrictions of an API key.
 */
export type NewApiKey = {
    /**
     * For people; 1 to 64 printable characters.
     */
    name: string;
    scopes: ApiKeyScopes;
    /**
     * Ids of the applications to which the key is restricted. Default - all.
     */
    resources?: Array<string>;
    /**
     * The prefixes to which the key is restricted. Default - all.
     */
    prefixes?: Array<ObjectPrefix>;
};
/**
 * An API key with its secret, which no later answer shows.
 */
export type ApiKeyWithSecret = ApiKey & {
    /**
     * The secret. It is shown here alone.
     */
    key: string;
};
/**
 * One thing that happened in the account.
 */
export type Activity = {
    /**
     * Id of the entry, unlike any other of the account.
     */
    id: string;
    /**
     * What happened.
     */
    type: 'object.uploaded' | 'object.deleted' | 'object.updated' | 'object.copied' | 'chunked.started' | 'chunked.completed' | 'chunked.aborted' | 'share.created' | 'share.revoked' | 'key.created' | 'key.revoked' | 'rules.changed';
    at: Timestamp;
    /**
     * The file that it is about; absent when it is about none, and for a key restricted to prefixes when it lies outside of them.
     */
    object?: ObjectId;
    /**
     * More, depending on `type`, such as `size` in bytes, the id of the `source` of a copy, or `key` and `name` of an API key. A share link
     * is named by its file alone, since its id opens it. A new secret of an API key stands as `key.created` with `regenerated`, the removal of an expired file with `expired`. Fields may be added.
     *
     */
    details: {
        [key: string]: unknown;
    };
    /**
     * The client's address; null for what the server did by itself.
     */
    source_ip: string | null;
    /**
     * What the client called itself, up to 512 bytes of it; null when it did not.
     */
    user_agent: string | null;
    /**
     * With which credential, or which part of the server.
     */
    auth: 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';
};
/**
 * One page of what happened in the account.
 */
export type ActivityPage = {
    /**
     * The entries of this page, newest first.
     */
    activity: Array<Activity>;
    /**
     * Asks for the next page; absent on the last.
     */
    continuationToken?: string;
};
/**
 * 1 to 64 letters, digits, `_` or `-`.
 */
export type ChatFunctionName = string;
/**
 * A function that the model wants called.
 */
export type ChatToolCall = {
    /**
     * Names the call; the tool message that answers it repeats it.
     */
    id: string;
    /**
     * The kind of tool.
     */
    type: 'function';
    /**
     * The function and its arguments.
     */
    function: {
        name: ChatFunctionName;
        /**
         * The arguments as JSON text, as the model wrote them. Check them before use.
         */
        arguments: string;
    };
};
/**
 * One message of the conversation. `content` is compulsory, except that it may be null or absent in an assistant
 * message with `tool_calls`; `tool_call_id` is compulsory in a tool message, which answers the call of that `id`.
 * Anything else is `invalid_messages`. Where tool messages do not fit the calls before them: `invalid_request`.
 *
 */
export type ChatMessage = {
    /**
     * Who speaks.
     */
    role: 'system' | 'user' | 'assistant' | 'tool';
    /**
     * The text.
     */
    content?: string | null;
    /**
     * Tells speakers of the same role apart.
     */
    name?: string | null;
    /**
     * Assistant messages only - the calls as they were answered. An empty list is taken as absent, in any message.
     */
    tool_calls?: Array<ChatToolCall> | null;
    /**
     * Tool messages only, compulsory there - the `id` of the call that this answers.
     */
    tool_call_id?: string | null;
};
/**
 * A function that the model may call. One named `web_search` replaces the gateway's own web search.
 */
export type ChatTool = {
    /**
     * The kind of tool.
     */
    type: 'function';
    /**
     * The function, as the model is told of it.
     */
    function: {
        name: ChatFunctionName;
        /**
         * Tells the model what the function does and when to call it.
         */
        description?: string | null;
        /**
         * The parameters as a JSON Schema.
         */
        parameters?: {
            [key: string]: unknown;
        } | null;
        /**
         * Whether the arguments must fit the schema exactly; passed to the model.
         */
        strict?: boolean | null;
    };
};
/**
 * Whether the model may (`auto`), must (`required`) or must not (`none`) call a function, or which one it must call.
 */
export type ChatToolChoice = 'none' | 'auto' | 'required' | {
    /**
     * The kind of tool.
     */
    type: 'function';
    /**
     * The function that must be called.
     */
    function: {
        name: ChatFunctionName;
    };
} | null;
/**
 * Plain text, or some JSON object.
 */
export type ChatPlainFormat = {
    /**
     * The kind of text.
     */
    type: 'text' | 'json_object';
};
/**
 * JSON that fits a schema.
 */
export type ChatSchemaFormat = {
    /**
     * The kind of text.
     */
    type: 'json_schema';
    /**
     * The schema, and what the model is told of it.
     */
    json_schema: {
        name: ChatFunctionName;
        /**
         * Tells the model what the answer is for.
         */
        description?: string | null;
        /**
         * The JSON Schema that the answer fits.
         */
        schema?: {
            [key: string]: unknown;
        } | null;
        /**
         * Whether the answer must fit the schema exactly; passed to the model.
         */
        strict?: boolean | null;
    };
};
/**
 * What the answer shall be.
 */
export type ChatResponseFormat = ({
    type: 'text' | 'json_object';
} & ChatPlainFormat) | ({
    type: 'json_schema';
} & ChatSchemaFormat);
/**
 * A conversation and how to go on with it. Fields that are not named here are ignored; null is read as absent.
 */
export type ChatRequest = {
    /**
     * Accepted as it is; the gateway always answers as `cubic`.
     */
    model?: string | null;
    /**
     * The whole conversation so far, oldest first; nothing is kept between requests.
     */
    messages: Array<ChatMessage>;
    /**
     * Most tokens of the answer. What is above the plan's output ceiling is lowered to it silently.
     */
    max_tokens?: number | null;
    /**
     * Most tokens of the answer. The newer name of `max_tokens`; it wins when both are sent.
     */
    max_completion_tokens?: number | null;
    /**
     * How freely the model chooses its words, from 0 to 2.
     */
    temperature?: number | null;
    /**
     * The share of likeliest words among which the model chooses, from 0 to 1.
     */
    top_p?: number | null;
    /**
     * The answer ends before any of these texts.
     */
    stop?: string | Array<string> | null;
    /**
     * The same seed with the same request gives the same answer, as far as the model can.
     */
    seed?: number | null;
    /**
     * From -2 to 2. Above 0 the model avoids what was said at all.
     */
    presence_penalty?: number | null;
    /**
     * From -2 to 2. Above 0 the model avoids what was said often.
     */
    frequency_penalty?: number | null;
    /**
     * Functions that the model may call. Their definitions count towards the context window.
     */
    tools?: Array<ChatTool> | null;
    tool_choice?: ChatToolChoice;
    /**
     * Whether one answer may call several functions.
     */
    parallel_tool_calls?: boolean | null;
    /**
     * Asks for plain text, for some JSON object, or for JSON that fits a schema.
     */
    response_format?: ChatResponseFormat | null;
    /**
     * Answers are not streamed; `true` is refused.
     */
    stream?: false | null;
    /**
     * Refused; there is no audio here.
     */
    audio?: null;
    /**
     * `["text"]` or absent.
     */
    modalities?: [
        'text'
    ] | null;
};
/**
 * An address that the text of an answer cites.
 */
export type ChatUrlCitation = {
    /**
     * The kind of annotation.
     */
    type: 'url_citation';
    /**
     * The address, its title, and where the text cites it.
     */
    url_citation: {
        /**
         * The page that is cited.
         */
        url: string;
        /**
         * The page's title.
         */
        title: string;
        /**
         * Where the citation begins in `content`, in UTF-16 code units.
         */
        start_index: number;
        /**
         * Where it ends, exclusive, in UTF-16 code units.
         */
        end_index: number;
    };
};
/**
 * The next message of a conversation, and what it counted.
 */
export type ChatCompletion = {
    /**
     * Names this completion.
     */
    id: string;
    /**
     * The kind of this object, as chat clients know it.
     */
    object: 'chat.completion';
    /**
     * When it was made, in seconds since 1970 (Unix time).
     */
    created: number;
    /**
     * The name of the model, whichever stands behind the gateway.
     */
    model: 'cubic';
    /**
     * The answer; there is one.
     */
    choices: [
        {
            /**
             * Its index among the answers, always 0.
             */
            index: 0;
            /**
             * The message of the model.
             */
            message: {
                /**
                 * Who speaks.
                 */
                role: 'assistant';
                /**
                 * The text; null when the answer is only tool calls.
                 */
                content: string | null;
                /**
                 * Functions to call; present when `finish_reason` is `tool_calls`.
                 */
                tool_calls?: Array<ChatToolCall>;
                /**
                 * Where the text cites what a web search of the gateway found; left out where it cites nothing.
                 */
                annotations?: Array<ChatUrlCitation>;
            };
            /**
             * `stop` - the answer is complete; `length` - the output ceiling cut it; `tool_calls` - the model waits for
             * results; `content_filter` - the model's own filter cut it.
             *
             */
            finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
        }
    ];
    /**
     * What the completion counted, web searches included.
     */
    usage: {
        /**
         * Tokens of the request, those of web searches among them.
         */
        prompt_tokens: number;
        /**
         * Tokens of the answer.
         */
        completion_tokens: number;
        /**
         * Tokens of both together.
         */
        total_tokens: number;
    };
};
/**
 * Every code that the AI gateway can answer. Each has one HTTP status wherever it occurs.
 * `x-enum-descriptions` says of each its HTTP status, what it means and what to do about it; the server answers the
 * words in between as `message`.
 *
 */
export type ChatErrorCode = 'invalid_body' | 'invalid_messages' | 'invalid_tools' | 'invalid_tool_choice' | 'invalid_temperature' | 'invalid_max_tokens' | 'stream_not_supported' | 'multimodal_not_supported' | 'context_length_exceeded' | 'invalid_request' | 'access_denied' | 'missing_scope' | 'upload_token_not_allowed' | 'upgrade_required' | 'not_found' | 'method_not_allowed' | 'body_too_large' | 'concurrent_limit_reached' | 'rate_limit_exceeded' | 'daily_request_limit_reached' | 'daily_spend_limit_reached' | 'daily_limit_reached' | 'weekly_limit_reached' | 'rate_limited' | 'internal_server_error' | 'server_overloaded' | 'daily_capacity_reached';
/**
 * The error shape of chat clients.
 */
export type ChatError = {
    /**
     * What was refused, and why.
     */
    error: {
        /**
         * What happened and what to do next, for people. Its wording may change.
         */
        message: string;
        /**
         * The kind of error, as chat clients know it.
         */
        type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error';
        /**
         * Always null; `message` names the field.
         */
        param: null;
        code: ChatErrorCode;
    };
};
/**
 * A model that the gateway offers.
 */
export type ChatModel = {
    /**
     * The name of the model, as requests may send it.
     */
    id: 'cubic';
    /**
     * The kind of this object, as chat clients know it.
     */
    object: 'model';
    /**
     * Since when the model is offered, in seconds since 1970 (Unix time).
     */
    created: number;
    /**
     * Who offers the model.
     */
    owned_by: 'cubby';
};
/**
 * The models of the gateway, in the list form of chat clients.
 */
export type ChatModels = {
    /**
     * The kind of this object, as chat clients know it.
     */
    object: 'list';
    /**
     * The models; there is one.
     */
    data: [
        ChatModel
    ];
};
/**
 * What is spent in one window of time, and what its limit is.
 */
export type ChatUsageWindow = {
    /**
     * What is spent: requests, tokens, or tokens with output counted four times.
     */
    used: number;
    /**
     * How much may be spent, in the same measure (requests or tokens); null when the plan sets no limit.
     */
    limit: number | null;
    resets_at: Timestamp;
};
/**
 * What is spent of one measure, today and this week.
 */
export type ChatUsage = {
    /**
     * Since 00:00 UTC.
     */
    today: ChatUsageWindow;
    /**
     * Since Monday 00:00 UTC.
     */
    week: ChatUsageWindow;
};
/**
 * Requests, tokens and fair use of today and of this week.
 */
export type ChatUsageReport = {
    /**
     * Answered requests.
     */
    requests: ChatUsage;
    /**
     * Tokens, input and output together.
     */
    tokens: ChatUsage;
    /**
     * Tokens, input counted once and output four times.
     */
    spend: ChatUsage;
};
/**
 * Names an application; opaque to clients.
 */
export type AppId = string;
/**
 * With what the repository is read, and what its deliveries are signed with.
 */
export type NewWebhook = {
    /**
     * A personal access token of the repository host, with which the repository is read; `@` removes the webhook. It is never answered again.
     */
    access_token: string;
    /**
     * What the repository host signs its deliveries with. Without one, deliveries are not checked.
     */
    secret?: string;
};
/**
 * The webhook of an application.
 */
export type Webhook = {
    /**
     * The address to register on the repository. Anyone who knows it can queue deploys, unless there is a secret.
     */
    webhook: string;
};
/**
 * `pending` - queued; `running` - being deployed; `success` and `error` - ended so; `superseded` - a newer push of the
 * branch came before it began.
 *
 */
export type DeploymentState = 'pending' | 'running' | 'success' | 'error' | 'superseded';
/**
 * One deploy of an application.
 */
export type Deployment = {
    /**
     * Names the deploy.
     */
    id: string;
    state: DeploymentState;
    /**
     * The branch that was pushed.
     */
    branch: string;
    /**
     * The commit that was pushed, in lowercase hex.
     */
    commit: string;
    /**
     * First line of the commit's message; null when the push did not carry it.
     */
    message: string | null;
    created_at: Timestamp;
    updated_at: Timestamp;
};
/**
 * The application's webhook and its newest deploy.
 */
export type CurrentDeployment = {
    /**
     * The address that is registered on the repository; null when none is set.
     */
    webhook: string | null;
    /**
     * The newest deploy; null before the first.
     */
    last: Deployment | null;
};
/**
 * One page of the application's deploys.
 */
export type DeploymentPage = {
    /**
     * The deploys of this page, newest first.
     */
    deployments: Array<Deployment>;
    /**
     * Asks for the next page; absent on the last.
     */
    continuationToken?: string;
};
/**
 * Errors of each status, most first.
 */
export type EdgeErrorsByStatus = Array<{
    /**
     * The HTTP status.
     */
    status: number;
    /**
     * Requests that were answered with it.
     */
    requests: number;
}>;
/**
 * The errors that the edge answered in a window of time, counted in five ways.
 */
export type EdgeErrors = {
    /**
     * How many errors there were.
     */
    summary: {
        /**
         * All errors that were counted.
         */
        total: number;
        /**
         * Errors of each class of status.
         */
        by_class: {
            /**
             * Errors with a status from 400 to 499; 0 unless `include_4xx` was asked for.
             */
            '4xx': number;
            /**
             * Errors with a status from 500 to 599.
             */
            '5xx': number;
        };
    };
    by_status: EdgeErrorsByStatus;
    /**
     * In order of time.
     */
    timeseries: Array<{
        /**
         * When the bucket begins, which may be before the window does.
         */
        date: Timestamp;
        /**
         * Errors of each status, keyed by it.
         */
        buckets: {
            [key: string]: number;
        };
        /**
         * Errors of this bucket, of every status.
         */
        total: number;
    }>;
    /**
     * Up to 20 paths and methods with the most errors, most first.
     */
    top_paths: Array<{
        /**
         * Without query, ids in it as `:id`, at most 256 bytes; `__other__` for all paths that have no name of their own.
         */
        path: string;
        /**
         * The method of the requests, such as GET; OTHER for unusual ones.
         */
        method: string;
        /**
         * Errors of this path and method.
         */
        total: number;
        by_status: EdgeErrorsByStatus;
    }>;
    /**
     * Most errors first.
     */
    by_method: Array<{
        /**
         * The method of the requests, such as GET; OTHER for unusual ones.
         */
        method: string;
        /**
         * Errors of this method.
         */
        total: number;
        by_status: EdgeErrorsByStatus;
    }>;
};
/**
 * The payload as the repository host sends it; each has its own fields.
 */
export type GitPush = {
    [key: string]: unknown;
};
/**
 * The payload as some repository hosts send it, in a form.
 */
export type GitPushForm = {
    /**
     * The payload as JSON text.
     */
    payload: string;
};
/**
 * A scope of an API key, without full access.
 */
export type DeviceScope = 'account:read' | 'apps:read' | 'apps:control' | 'apps:write' | 'apps:deploy' | 'files:read' | 'files:write' | 'envs:read' | 'envs:write' | 'snapshots:read' | 'snapshots:write' | 'databases:read' | 'databases:write' | 'databases:credentials' | 'workspaces:manage' | 'ai:chat' | 'blob:read' | 'blob:write';
/**
 * `client_name` or `client_id`, and `scopes` or `scope`. Where both of a pair are sent, the first counts.
 */
export type DeviceCodeRequest = {
    /**
     * Which client asks, as the person who approves is shown it, and the name of the key. 1 to 64 printable characters.
     */
    client_name?: string;
    /**
     * RFC 8628's name for it, as OAuth clients send it. Clients need not be registered.
     */
    client_id?: string;
    /**
     * What the key shall be able to do; a list, or one text of scopes with spaces between. Ask for as little as the client needs. Full access (`*`) cannot be asked for.
     */
    scopes?: Array<DeviceScope> | string;
    /**
     * RFC 8628's name for it - one text of scopes with spaces between. Here it may not be left out.
     */
    scope?: string;
};
/**
 * Both codes of a device approval (RFC 8628, section 3.2).
 */
export type DeviceCode = {
    /**
     * With this the client asks for its key. Keep it secret.
     */
    device_code: string;
    /**
     * What the client shows, and the person types at `verification_uri`. Consonants only, so that it spells nothing.
     */
    user_code: string;
    /**
     * The activation page. It never carries the code, so that nobody approves by following a link.
     */
    verification_uri: string;
    /**
     * Seconds for which both codes are good.
     */
    expires_in: 900;
    /**
     * Seconds to wait between two questions for the key.
     */
    interval: 5;
};
/**
 * Every code that device approval can answer. Each has one HTTP status wherever it occurs. `x-enum-descriptions`
 * says of each its HTTP status, what it means and what to do about it; the server answers the words in between as `error_description`.
 *
 */
export type OAuthErrorCode = 'invalid_request' | 'invalid_scope' | 'invalid_grant' | 'unsupported_grant_type' | 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied' | 'body_too_large' | 'rate_limited' | 'internal_server_error';
/**
 * The error shape of RFC 6749, section 5.2.
 */
export type OAuthError = {
    error: OAuthErrorCode;
    /**
     * What happened and what to do next, for people. Its wording may change.
     */
    error_description: string;
};
/**
 * One of the forms of the activation page; `action` says which.
 */
export type ActivationForm = {
    /**
     * Which form it is.
     */
    action: 'sign_in' | 'look_up' | 'approve' | 'refuse' | 'sign_out';
    /**
     * As it stands in the form; it ties the form to this browser.
     */
    form_token: string;
    /**
     * For `sign_in` - an API key of scope `*`.
     */
    api_key?: string;
    /**
     * For `look_up`, `approve` and `refuse` - the code on the screen of the client. Case, spaces and the dash do not matter.
     */
    user_code?: string;
};
/**
 * Asks for the key of a device approval (RFC 8628, section 3.4).
 */
export type DeviceTokenRequest = {
    /**
     * As it was answered.
     */
    device_code: string;
    /**
     * Sent by OAuth clients; may be left out.
     */
    grant_type?: 'urn:ietf:params:oauth:grant-type:device_code';
};
/**
 * The key, in the shape of RFC 6749, section 5.1.
 */
export type DeviceToken = {
    /**
     * The API key. It is answered once.
     */
    access_token: string;
    /**
     * How the key is sent: as a bearer token (RFC 6750).
     */
    token_type: 'Bearer';
    /**
     * Seconds for which the key is good, 90 days.
     */
    expires_in: 7776000;
    /**
     * The scopes of the key, with spaces between.
     */
    scope: string;
};
/**
 * The form of the password page.
 */
export type SharePasswordForm = {
    /**
     * The password of the link. It may be longer than when it was set, as some keyboards send a letter and its accents apart.
     */
    password: string;
};
/**
 * Whether the server can serve.
 */
export type Readiness = {
    /**
     * Says that it can.
     */
    status: 'success';
    /**
     * `full` when less is free on the disk than is kept free: uploads answer `INSUFFICIENT_STORAGE`, everything else goes on.
     *
     */
    storage: 'available' | 'full';
};
/**
 * The `continuationToken` of the page before.
 */
export type Cursor = string;
/**
 * The other name of `cursor`; send one of the two.
 */
export type ContinuationToken = string;
/**
 * The file's name without extension. Compulsory unless an upload token pins it.
 */
export type UploadName = ObjectName;
/**
 * The folder of the file. An empty one means none.
 */
export type UploadPrefix = ObjectPrefixOrNone;
/**
 * Whether the file is private. Default - what the prefix rule says, else public.
 */
export type UploadPrivate = boolean;
/**
 * Adds a random hash to the stored name. Private files always carry it.
 */
export type UploadSecurityHash = boolean;
/**
 * When the file is deleted, counted from now. Default - what the prefix rule says, else never.
 */
export type UploadExpire = Duration;
/**
 * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
 */
export type UploadOverwrite = boolean;
/**
 * Whether a browser shows or saves the file.
 */
export type UploadDisposition = Disposition;
/**
 * The earlier form of `disposition=attachment`; `disposition` wins when both are sent.
 */
export type UploadAutoDownload = boolean;
/**
 * Cache-Control of the served file.
 */
export type UploadCacheControl = CacheControl;
/**
 * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes, without control characters.
 */
export type UploadMetadata = string;
/**
 * SHA-256 of the bytes; when those that arrive have another, nothing is stored.
 */
export type UploadChecksum = Sha256;
/**
 * Id of the file.
 */
export type ObjectId2 = ObjectId;
/**
 * The `upload` string that the start answered.
 */
export type ChunkedUpload = ChunkedUploadHandle;
/**
 * Id of the key.
 */
export type KeyId = string;
/**
 * Id of the application.
 */
export type AppId2 = AppId;
/**
 * One byte range.
 */
export type Range = string;
/**
 * Answers 412 unless the file has this ETag.
 */
export type IfMatch = string;
/**
 * Answers 412 when the file was written since.
 */
export type IfUnmodifiedSince = string;
/**
 * Answers 304 when the file still has this ETag.
 */
export type IfNoneMatch = string;
/**
 * Answers 304 when the file was not written since.
 */
export type IfModifiedSince = string;
/**
 * The range is served only while the file has this ETag or date.
 */
export type IfRange = string;
/**
 * Id of the share link.
 */
export type ShareId2 = string;
export type DeleteObjectsData = {
    body: DeleteRequest;
    path?: never;
    query?: never;
    url: '/v1/objects';
};
export type DeleteObjectsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT' | 'TOO_MANY_OBJECTS' | 'DELETE_FAILED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type DeleteObjectsError = DeleteObjectsErrors[keyof DeleteObjectsErrors];
export type DeleteObjectsResponses = {
    /**
     * The file is deleted; or, for several, the report.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response?: DeletionReport;
    };
};
export type DeleteObjectsResponse = DeleteObjectsResponses[keyof DeleteObjectsResponses];
export type ListObjectsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only keys that begin with this, any leading part of a key; up to 1024 bytes of UTF-8 without NUL.
         */
        prefix?: string;
        /**
         * Only private files (`true`) or only public ones (`false`).
         */
        private?: boolean;
        /**
         * Rolls up what lies deeper into `folders`.
         */
        delimiter?: '/';
        /**
         * Entries on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the page before.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/objects';
};
export type ListObjectsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_DELIMITER' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN' | 'PREFIX_REQUIRED' | 'LIST_FAILED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ListObjectsError = ListObjectsErrors[keyof ListObjectsErrors];
export type ListObjectsResponses = {
    /**
     * ListObjectsSuccess
     *
     * One page of files.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ObjectPage;
    };
};
export type ListObjectsResponse = ListObjectsResponses[keyof ListObjectsResponses];
export type UpdateObjectsData = {
    body: UpdateRequest;
    path?: never;
    query?: never;
    url: '/v1/objects';
};
export type UpdateObjectsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT' | 'TOO_MANY_OBJECTS' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_OBJECT_METADATA' | 'NOTHING_TO_UPDATE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type UpdateObjectsError = UpdateObjectsErrors[keyof UpdateObjectsErrors];
export type UpdateObjectsResponses = {
    /**
     * UpdateObjectsSuccess
     *
     * One result for each file, in the order of the request.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: UpdateReport;
    };
};
export type UpdateObjectsResponse = UpdateObjectsResponses[keyof UpdateObjectsResponses];
export type UploadObjectData = {
    body: FileUpload;
    path?: never;
    query?: {
        /**
         * The file's name without extension. Compulsory unless an upload token pins it.
         */
        name?: ObjectName;
        /**
         * The folder of the file. An empty one means none.
         */
        prefix?: ObjectPrefixOrNone;
        /**
         * Whether the file is private. Default - what the prefix rule says, else public.
         */
        private?: boolean;
        /**
         * Adds a random hash to the stored name. Private files always carry it.
         */
        security_hash?: boolean;
        /**
         * When the file is deleted, counted from now. Default - what the prefix rule says, else never.
         */
        expire?: Duration;
        /**
         * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
         */
        overwrite?: boolean;
        /**
         * Whether a browser shows or saves the file.
         */
        disposition?: Disposition;
        /**
         * The earlier form of `disposition=attachment`; `disposition` wins when both are sent.
         */
        auto_download?: boolean;
        /**
         * Cache-Control of the served file.
         */
        cache_control?: CacheControl;
        /**
         * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes, without control characters.
         */
        metadata?: string;
        /**
         * SHA-256 of the bytes; when those that arrive have another, nothing is stored.
         */
        checksum_sha256?: Sha256;
    };
    url: '/v1/objects';
};
export type UploadObjectErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_CHECKSUM' | 'INVALID_FILE' | 'INVALID_FILE_TYPE' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'FILE_TOO_SMALL' | 'CHECKSUM_MISMATCH';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED' | 'UPLOAD_TOKEN_USED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'UPGRADE_REQUIRED' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'INVALID_CONTENT_TYPE' | 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'FILE_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_UPLOADS';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};
export type UploadObjectError = UploadObjectErrors[keyof UploadObjectErrors];
export type UploadObjectResponses = {
    /**
     * UploadObjectSuccess
     *
     * The file is stored.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: UploadedObject;
    };
};
export type UploadObjectResponse = UploadObjectResponses[keyof UploadObjectResponses];
export type GetObjectInfoData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Id of the file.
         */
        object: ObjectId;
    };
    url: '/v1/objects/info';
};
export type GetObjectInfoErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetObjectInfoError = GetObjectInfoErrors[keyof GetObjectInfoErrors];
export type GetObjectInfoResponses = {
    /**
     * GetObjectInfoSuccess
     *
     * The file's details.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ObjectInfo;
    };
};
export type GetObjectInfoResponse = GetObjectInfoResponses[keyof GetObjectInfoResponses];
export type CopyObjectData = {
    body: CopyRequest;
    path?: never;
    query?: never;
    url: '/v1/objects/copy';
};
export type CopyObjectErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT' | 'INVALID_DESTINATION' | 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_MOVE' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_SECURITY_HASH' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'SAME_OBJECT';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'FILE_TOO_LARGE' | 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'COPY_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: Error & {
        code?: 'PRIVATE_STORAGE_UNAVAILABLE' | 'PUBLIC_STORAGE_UNAVAILABLE' | 'VISIBILITY_CHANGE_FAILED';
    };
};
export type CopyObjectError = CopyObjectErrors[keyof CopyObjectErrors];
export type CopyObjectResponses = {
    /**
     * CopyObjectSuccess
     *
     * The copy is stored.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CopiedObject;
    };
};
export type CopyObjectResponse = CopyObjectResponses[keyof CopyObjectResponses];
export type GetDownloadLinkData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Id of the file.
         */
        object: ObjectId;
        /**
         * For how many seconds a temporary link works.
         */
        expires?: number;
        /**
         * Whether the answer redirects to the address (`true`) or names it in JSON (`false`).
         */
        redirect?: boolean;
        /**
         * Whether a browser shows or saves the file. Always gives a temporary link.
         */
        disposition?: Disposition;
        /**
         * The name under which the file is saved, up to 255 characters; control characters and path parts are removed. Means `disposition=attachment` unless that is sent too. Always gives a temporary link.
         */
        filename?: string;
    };
    url: '/v1/objects/download';
};
export type GetDownloadLinkErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT' | 'INVALID_DOWNLOAD_EXPIRES' | 'INVALID_REDIRECT' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_FILENAME';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetDownloadLinkError = GetDownloadLinkErrors[keyof GetDownloadLinkErrors];
export type GetDownloadLinkResponses = {
    /**
     * GetDownloadLinkSuccess
     *
     * The address, with `redirect=false`.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DownloadLink;
    };
};
export type GetDownloadLinkResponse = GetDownloadLinkResponses[keyof GetDownloadLinkResponses];
export type AbortChunkedUploadData = {
    body: ChunkedUploadReference;
    path?: never;
    query?: never;
    url: '/v1/objects/chunked';
};
export type AbortChunkedUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_UPLOAD_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type AbortChunkedUploadError = AbortChunkedUploadErrors[keyof AbortChunkedUploadErrors];
export type AbortChunkedUploadResponses = {
    /**
     * The upload is aborted.
     */
    200: Success;
};
export type AbortChunkedUploadResponse = AbortChunkedUploadResponses[keyof AbortChunkedUploadResponses];
export type GetChunkedUploadData = {
    body?: never;
    path?: never;
    query: {
        /**
         * The `upload` string that the start answered.
         */
        upload: ChunkedUploadHandle;
    };
    url: '/v1/objects/chunked';
};
export type GetChunkedUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_UPLOAD_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetChunkedUploadError = GetChunkedUploadErrors[keyof GetChunkedUploadErrors];
export type GetChunkedUploadResponses = {
    /**
     * GetChunkedUploadSuccess
     *
     * The upload is open.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ChunkedUploadStatus;
    };
};
export type GetChunkedUploadResponse = GetChunkedUploadResponses[keyof GetChunkedUploadResponses];
export type CompleteChunkedUploadData = {
    body: ChunkedUploadCompletion;
    path?: never;
    query?: never;
    url: '/v1/objects/chunked';
};
export type CompleteChunkedUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_UPLOAD_TOKEN' | 'INVALID_CHECKSUM' | 'INVALID_CHUNK_PART' | 'CHUNK_TOO_SMALL' | 'NO_CHUNKS_UPLOADED' | 'CHECKSUM_MISMATCH' | 'FILE_TOO_SMALL';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'OBJECT_ALREADY_EXISTS' | 'SIZE_MISMATCH';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
};
export type CompleteChunkedUploadError = CompleteChunkedUploadErrors[keyof CompleteChunkedUploadErrors];
export type CompleteChunkedUploadResponses = {
    /**
     * CompleteChunkedUploadSuccess
     *
     * The file exists.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CompletedChunkedUpload;
    };
};
export type CompleteChunkedUploadResponse = CompleteChunkedUploadResponses[keyof CompleteChunkedUploadResponses];
export type StartChunkedUploadData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The file's name without extension. Compulsory unless an upload token pins it.
         */
        name?: ObjectName;
        /**
         * The folder of the file. An empty one means none.
         */
        prefix?: ObjectPrefixOrNone;
        /**
         * Whether the file is private. Default - what the prefix rule says, else public.
         */
        private?: boolean;
        /**
         * Adds a random hash to the stored name. Private files always carry it.
         */
        security_hash?: boolean;
        /**
         * When the file is deleted, counted from now. Default - what the prefix rule says, else never.
         */
        expire?: Duration;
        /**
         * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
         */
        overwrite?: boolean;
        /**
         * Whether a browser shows or saves the file.
         */
        disposition?: Disposition;
        /**
         * The earlier form of `disposition=attachment`; `disposition` wins when both are sent.
         */
        auto_download?: boolean;
        /**
         * Cache-Control of the served file.
         */
        cache_control?: CacheControl;
        /**
         * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes, without control characters.
         */
        metadata?: string;
        /**
         * The file's own name. It chooses the extension, and the file's details show it.
         */
        filename?: string;
        /**
         * The file's MIME type; chooses the extension when `filename` has none.
         */
        mime_type?: string;
        /**
         * Bytes of the whole file, when they are known. The parts must come to exactly so many at completion.
         */
        size?: number;
    };
    url: '/v1/objects/chunked';
};
export type StartChunkedUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_FILE_TYPE' | 'INVALID_SIZE' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED' | 'UPLOAD_TOKEN_USED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'UPGRADE_REQUIRED' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'FILE_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'TOO_MANY_OPEN_UPLOADS' | 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};
export type StartChunkedUploadError = StartChunkedUploadErrors[keyof StartChunkedUploadErrors];
export type StartChunkedUploadResponses = {
    /**
     * StartChunkedUploadSuccess
     *
     * The upload is open.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: StartedChunkedUpload;
    };
};
export type StartChunkedUploadResponse = StartChunkedUploadResponses[keyof StartChunkedUploadResponses];
export type PutChunkedPartData = {
    /**
     * The bytes of the part.
     */
    body: Blob | File;
    path?: never;
    query: {
        /**
         * The `upload` string that the start answered.
         */
        upload: ChunkedUploadHandle;
        /**
         * The part's number.
         */
        part: number;
        /**
         * SHA-256 of the bytes; when those that arrive have another, nothing is stored.
         */
        checksum_sha256?: Sha256;
    };
    url: '/v1/objects/chunked';
};
export type PutChunkedPartErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_UPLOAD_TOKEN' | 'INVALID_CHUNK_PART' | 'INVALID_CHECKSUM' | 'EMPTY_CHUNK' | 'CHECKSUM_MISMATCH';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'CHUNK_TOO_LARGE' | 'FILE_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_CHUNKS';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};
export type PutChunkedPartError = PutChunkedPartErrors[keyof PutChunkedPartErrors];
export type PutChunkedPartResponses = {
    /**
     * PutChunkedPartSuccess
     *
     * The part is stored.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ChunkedPart;
    };
};
export type PutChunkedPartResponse = PutChunkedPartResponses[keyof PutChunkedPartResponses];
export type ListChunkedUploadsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/objects/chunked/open';
};
export type ListChunkedUploadsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ListChunkedUploadsError = ListChunkedUploadsErrors[keyof ListChunkedUploadsErrors];
export type ListChunkedUploadsResponses = {
    /**
     * ListChunkedUploadsSuccess
     *
     * The open uploads.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OpenChunkedUploads;
    };
};
export type ListChunkedUploadsResponse = ListChunkedUploadsResponses[keyof ListChunkedUploadsResponses];
export type CreateUploadTokenData = {
    body?: NewUploadToken;
    path?: never;
    query?: never;
    url: '/v1/upload-tokens';
};
export type CreateUploadTokenErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_MAX_SIZE' | 'INVALID_ALLOWED_EXTENSIONS' | 'INVALID_ALLOWED_ORIGINS' | 'INVALID_OBJECT_METADATA' | 'INVALID_EXPIRES_IN' | 'INVALID_MAX_USES' | 'UPLOAD_TOKEN_TOO_LARGE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type CreateUploadTokenError = CreateUploadTokenErrors[keyof CreateUploadTokenErrors];
export type CreateUploadTokenResponses = {
    /**
     * CreateUploadTokenSuccess
     *
     * The token. It is shown here alone.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: UploadToken;
    };
};
export type CreateUploadTokenResponse = CreateUploadTokenResponses[keyof CreateUploadTokenResponses];
export type DeleteShareData = {
    body: ShareReference;
    path?: never;
    query?: never;
    url: '/v1/shares';
};
export type DeleteShareErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_SHARE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SHARE_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type DeleteShareError = DeleteShareErrors[keyof DeleteShareErrors];
export type DeleteShareResponses = {
    /**
     * The link is revoked.
     */
    200: Success;
};
export type DeleteShareResponse = DeleteShareResponses[keyof DeleteShareResponses];
export type ListSharesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/shares';
};
export type ListSharesErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ListSharesError = ListSharesErrors[keyof ListSharesErrors];
export type ListSharesResponses = {
    /**
     * ListSharesSuccess
     *
     * The links.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Shares;
    };
};
export type ListSharesResponse = ListSharesResponses[keyof ListSharesResponses];
export type CreateShareData = {
    body: NewShare;
    path?: never;
    query?: never;
    url: '/v1/shares';
};
export type CreateShareErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT' | 'INVALID_EXPIRES_IN' | 'INVALID_MAX_DOWNLOADS' | 'INVALID_PASSWORD' | 'INVALID_LANDING';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'TOO_MANY_SHARES';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type CreateShareError = CreateShareErrors[keyof CreateShareErrors];
export type CreateShareResponses = {
    /**
     * CreateShareSuccess
     *
     * The link.
     */
    201: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CreatedShare;
    };
};
export type CreateShareResponse = CreateShareResponses[keyof CreateShareResponses];
export type GetS3CredentialsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/s3/credentials';
};
export type GetS3CredentialsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'API_KEY_REQUIRED' | 'LEGACY_API_KEY';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'INVALID_CREDENTIAL' | 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetS3CredentialsError = GetS3CredentialsErrors[keyof GetS3CredentialsErrors];
export type GetS3CredentialsResponses = {
    /**
     * GetS3CredentialsSuccess
     *
     * The pair.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: S3Credentials;
    };
};
export type GetS3CredentialsResponse = GetS3CredentialsResponses[keyof GetS3CredentialsResponses];
export type GetSettingsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/account/settings';
};
export type GetSettingsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetSettingsError = GetSettingsErrors[keyof GetSettingsErrors];
export type GetSettingsResponses = {
    /**
     * GetSettingsSuccess
     *
     * The rules.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Settings;
    };
};
export type GetSettingsResponse = GetSettingsResponses[keyof GetSettingsResponses];
export type ReplaceSettingsData = {
    body: NewSettings;
    path?: never;
    query?: never;
    url: '/v1/account/settings';
};
export type ReplaceSettingsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_RULES' | 'NOTHING_TO_UPDATE' | 'TOO_MANY_RULES' | 'INVALID_RULE_PREFIX' | 'INVALID_RULE_PRIVATE' | 'INVALID_RULE_EXPIRE' | 'INVALID_RULE_MAX_SIZE' | 'INVALID_RULE_EXTENSIONS' | 'INVALID_RULE_CACHE_CONTROL' | 'INVALID_RULE_DELETE_AFTER' | 'DUPLICATE_RULE_PREFIX';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ReplaceSettingsError = ReplaceSettingsErrors[keyof ReplaceSettingsErrors];
export type ReplaceSettingsResponses = {
    /**
     * ReplaceSettingsSuccess
     *
     * The rules are saved.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Settings;
    };
};
export type ReplaceSettingsResponse = ReplaceSettingsResponses[keyof ReplaceSettingsResponses];
export type GetStatsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/account/stats';
};
export type GetStatsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetStatsError = GetStatsErrors[keyof GetStatsErrors];
export type GetStatsResponses = {
    /**
     * GetStatsSuccess
     *
     * The usage.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: AccountStats;
    };
};
export type GetStatsResponse = GetStatsResponses[keyof GetStatsResponses];
export type ListKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/account/keys';
};
export type ListKeysErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ListKeysError = ListKeysErrors[keyof ListKeysErrors];
export type ListKeysResponses = {
    /**
     * ListKeysSuccess
     *
     * The keys, without their secrets.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ApiKeys;
    };
};
export type ListKeysResponse = ListKeysResponses[keyof ListKeysResponses];
export type CreateKeyData = {
    body: NewApiKey;
    path?: never;
    query?: never;
    url: '/v1/account/keys';
};
export type CreateKeyErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_KEY_NAME' | 'INVALID_SCOPES' | 'INVALID_RESOURCES' | 'INVALID_PREFIXES' | 'CONFLICTING_RESOURCES' | 'APIKEY_LIMIT_REACHED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type CreateKeyError = CreateKeyErrors[keyof CreateKeyErrors];
export type CreateKeyResponses = {
    /**
     * CreateKeySuccess
     *
     * The key, with its secret.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ApiKeyWithSecret;
    };
};
export type CreateKeyResponse = CreateKeyResponses[keyof CreateKeyResponses];
export type RevokeKeyData = {
    body?: never;
    path: {
        /**
         * Id of the key.
         */
        id: string;
    };
    query?: never;
    url: '/v1/account/keys/{id}';
};
export type RevokeKeyErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APIKEY_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type RevokeKeyError = RevokeKeyErrors[keyof RevokeKeyErrors];
export type RevokeKeyResponses = {
    /**
     * The key is revoked.
     */
    200: Success;
};
export type RevokeKeyResponse = RevokeKeyResponses[keyof RevokeKeyResponses];
export type RegenerateKeyData = {
    body?: never;
    path: {
        /**
         * Id of the key.
         */
        id: string;
    };
    query?: never;
    url: '/v1/account/keys/{id}/regenerate';
};
export type RegenerateKeyErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APIKEY_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type RegenerateKeyError = RegenerateKeyErrors[keyof RegenerateKeyErrors];
export type RegenerateKeyResponses = {
    /**
     * RegenerateKeySuccess
     *
     * The key, with its new secret.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ApiKeyWithSecret;
    };
};
export type RegenerateKeyResponse = RegenerateKeyResponses[keyof RegenerateKeyResponses];
export type ListActivityData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the page before.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/account/activity';
};
export type ListActivityErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ListActivityError = ListActivityErrors[keyof ListActivityErrors];
export type ListActivityResponses = {
    /**
     * ListActivitySuccess
     *
     * One page of entries.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ActivityPage;
    };
};
export type ListActivityResponse = ListActivityResponses[keyof ListActivityResponses];
export type CreateChatCompletionData = {
    body: ChatRequest;
    path?: never;
    query?: never;
    url: '/v2/ai/chat/completions';
};
export type CreateChatCompletionErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: ChatError & {
        error?: {
            code?: 'invalid_body' | 'invalid_messages' | 'multimodal_not_supported' | 'invalid_max_tokens' | 'invalid_temperature' | 'invalid_tools' | 'invalid_tool_choice' | 'stream_not_supported' | 'context_length_exceeded' | 'invalid_request';
        };
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * It is too large.
     */
    413: ChatError & {
        error?: {
            code?: 'body_too_large';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'concurrent_limit_reached' | 'rate_limit_exceeded' | 'daily_request_limit_reached' | 'daily_spend_limit_reached' | 'daily_limit_reached' | 'weekly_limit_reached' | 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: ChatError & {
        error?: {
            code?: 'server_overloaded' | 'daily_capacity_reached';
        };
    };
};
export type CreateChatCompletionError = CreateChatCompletionErrors[keyof CreateChatCompletionErrors];
export type CreateChatCompletionResponses = {
    /**
     * The next message.
     */
    200: ChatCompletion;
};
export type CreateChatCompletionResponse = CreateChatCompletionResponses[keyof CreateChatCompletionResponses];
export type ListModelsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/ai/models';
};
export type ListModelsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
};
export type ListModelsError = ListModelsErrors[keyof ListModelsErrors];
export type ListModelsResponses = {
    /**
     * The model.
     */
    200: ChatModels;
};
export type ListModelsResponse = ListModelsResponses[keyof ListModelsResponses];
export type GetChatUsageData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/ai/usage';
};
export type GetChatUsageErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
};
export type GetChatUsageError = GetChatUsageErrors[keyof GetChatUsageErrors];
export type GetChatUsageResponses = {
    /**
     * What is spent, and when it starts anew.
     */
    200: ChatUsageReport;
};
export type GetChatUsageResponse = GetChatUsageResponses[keyof GetChatUsageResponses];
export type SetGitWebhookData = {
    body: NewWebhook;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/webhook';
};
export type SetGitWebhookErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_ACCESS_TOKEN' | 'INVALID_SECRET';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type SetGitWebhookError = SetGitWebhookErrors[keyof SetGitWebhookErrors];
export type SetGitWebhookResponses = {
    /**
     * The webhook is set; or removed, and then without `response`.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response?: Webhook;
    };
};
export type SetGitWebhookResponse = SetGitWebhookResponses[keyof SetGitWebhookResponses];
export type GetCurrentDeploymentData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deployments/current';
};
export type GetCurrentDeploymentErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetCurrentDeploymentError = GetCurrentDeploymentErrors[keyof GetCurrentDeploymentErrors];
export type GetCurrentDeploymentResponses = {
    /**
     * GetCurrentDeploymentSuccess
     *
     * The webhook and the newest deploy.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CurrentDeployment;
    };
};
export type GetCurrentDeploymentResponse = GetCurrentDeploymentResponses[keyof GetCurrentDeploymentResponses];
export type ListDeploymentsData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: {
        /**
         * Deploys on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the page before.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v2/apps/{app_id}/deployments';
};
export type ListDeploymentsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ListDeploymentsError = ListDeploymentsErrors[keyof ListDeploymentsErrors];
export type ListDeploymentsResponses = {
    /**
     * ListDeploymentsSuccess
     *
     * One page of deploys.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DeploymentPage;
    };
};
export type ListDeploymentsResponse = ListDeploymentsResponses[keyof ListDeploymentsResponses];
export type GetNetworkErrorsData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query: {
        /**
         * First instant of the window, ISO 8601 with seconds and with `Z` or an offset. A `+` may come as it is or as `%2B`.
         */
        start: string;
        /**
         * End of the window, exclusive, in the same form; after `start`.
         */
        end: string;
        /**
         * Whether 4xx are counted as well. Default false.
         */
        include_4xx?: boolean;
    };
    url: '/v2/apps/{app_id}/network/errors';
};
export type GetNetworkErrorsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_TIME_RANGE' | 'INVALID_INCLUDE_4XX';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UNABLE_TO_FETCH_ERRORS' | 'INTERNAL_SERVER_ERROR';
    };
};
export type GetNetworkErrorsError = GetNetworkErrorsErrors[keyof GetNetworkErrorsErrors];
export type GetNetworkErrorsResponses = {
    /**
     * GetNetworkErrorsSuccess
     *
     * The breakdown.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: EdgeErrors;
    };
};
export type GetNetworkErrorsResponse = GetNetworkErrorsResponses[keyof GetNetworkErrorsResponses];
export type ReceiveGitPushData = {
    body: GitPush;
    path: {
        /**
         * The last part of the address that setting the webhook answered.
         */
        webhook: string;
    };
    query?: never;
    url: '/v2/git/webhook/{webhook}';
};
export type ReceiveGitPushErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: string;
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: string;
    /**
     * It is not there.
     */
    404: string;
    /**
     * It is too large.
     */
    413: string;
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'KEEP_CALM';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: string;
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: string;
};
export type ReceiveGitPushError = ReceiveGitPushErrors[keyof ReceiveGitPushErrors];
export type ReceiveGitPushResponses = {
    /**
     * The deploy is in the queue.
     */
    200: string;
    /**
     * There is nothing to deploy in this delivery.
     */
    202: string;
};
export type ReceiveGitPushResponse = ReceiveGitPushResponses[keyof ReceiveGitPushResponses];
export type RequestDeviceCodeData = {
    body: DeviceCodeRequest;
    path?: never;
    query?: never;
    url: '/v2/auth/device';
};
export type RequestDeviceCodeErrors = {
    /**
     * The request is refused; `error` says why.
     */
    400: OAuthError & {
        error?: 'invalid_request' | 'invalid_scope';
    };
    /**
     * It is too large.
     */
    413: OAuthError & {
        error?: 'body_too_large';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: OAuthError & {
        error?: 'rate_limited';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: OAuthError & {
        error?: 'internal_server_error';
    };
};
export type RequestDeviceCodeError = RequestDeviceCodeErrors[keyof RequestDeviceCodeErrors];
export type RequestDeviceCodeResponses = {
    /**
     * Both codes.
     */
    200: DeviceCode;
};
export type RequestDeviceCodeResponse = RequestDeviceCodeResponses[keyof RequestDeviceCodeResponses];
export type ShowActivationPageData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * What was decided, where `submitActivation` leads here. Other values are ignored, and so is a decision that this browser did not come to.
         */
        done?: 'approved' | 'refused';
    };
    url: '/activate';
};
export type ShowActivationPageErrors = {
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ShowActivationPageError = ShowActivationPageErrors[keyof ShowActivationPageErrors];
export type ShowActivationPageResponses = {
    /**
     * The page.
     */
    200: string;
};
export type ShowActivationPageResponse = ShowActivationPageResponses[keyof ShowActivationPageResponses];
export type SubmitActivationData = {
    body: ActivationForm;
    path?: never;
    query?: never;
    url: '/activate';
};
export type SubmitActivationErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_USER_CODE' | 'APIKEY_LIMIT_REACHED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN' | 'MISSING_SCOPE';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type SubmitActivationError = SubmitActivationErrors[keyof SubmitActivationErrors];
export type SubmitActivationResponses = {
    /**
     * The next page.
     */
    200: string;
};
export type SubmitActivationResponse = SubmitActivationResponses[keyof SubmitActivationResponses];
export type PollDeviceTokenData = {
    body: DeviceTokenRequest;
    path?: never;
    query?: never;
    url: '/v2/auth/device/token';
};
export type PollDeviceTokenErrors = {
    /**
     * The request is refused; `error` says why.
     */
    400: OAuthError & {
        error?: 'invalid_request' | 'unsupported_grant_type' | 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied' | 'invalid_grant';
    };
    /**
     * It is too large.
     */
    413: OAuthError & {
        error?: 'body_too_large';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: OAuthError & {
        error?: 'rate_limited';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: OAuthError & {
        error?: 'internal_server_error';
    };
};
export type PollDeviceTokenError = PollDeviceTokenErrors[keyof PollDeviceTokenErrors];
export type PollDeviceTokenResponses = {
    /**
     * A person has approved; this is the key.
     */
    200: DeviceToken;
};
export type PollDeviceTokenResponse = PollDeviceTokenResponses[keyof PollDeviceTokenResponses];
export type OpenDownloadLinkData = {
    body?: never;
    headers?: {
        /**
         * One byte range.
         */
        Range?: string;
        /**
         * Answers 412 unless the file has this ETag.
         */
        'If-Match'?: string;
        /**
         * Answers 412 when the file was written since.
         */
        'If-Unmodified-Since'?: string;
        /**
         * Answers 304 when the file still has this ETag.
         */
        'If-None-Match'?: string;
        /**
         * Answers 304 when the file was not written since.
         */
        'If-Modified-Since'?: string;
        /**
         * The range is served only while the file has this ETag or date.
         */
        'If-Range'?: string;
    };
    path: {
        /**
         * The signed token of the link. Opaque.
         */
        token: string;
    };
    query?: never;
    url: '/d/{token}';
};
export type OpenDownloadLinkErrors = {
    /**
     * It is not there.
     */
    404: string;
    /**
     * A condition of the request does not hold.
     */
    412: string;
    /**
     * The range lies outside of the file.
     */
    416: string;
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: string;
    /**
     * A fault of the server; nothing was changed.
     */
    500: string;
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: string;
};
export type OpenDownloadLinkError = OpenDownloadLinkErrors[keyof OpenDownloadLinkErrors];
export type OpenDownloadLinkResponses = {
    /**
     * The whole file.
     */
    200: Blob | File;
    /**
     * The range that was asked for.
     */
    206: Blob | File;
};
export type OpenDownloadLinkResponse = OpenDownloadLinkResponses[keyof OpenDownloadLinkResponses];
export type OpenShareData = {
    body?: never;
    headers?: {
        /**
         * One byte range.
         */
        Range?: string;
        /**
         * Answers 412 unless the file has this ETag.
         */
        'If-Match'?: string;
        /**
         * Answers 412 when the file was written since.
         */
        'If-Unmodified-Since'?: string;
        /**
         * Answers 304 when the file still has this ETag.
         */
        'If-None-Match'?: string;
        /**
         * Answers 304 when the file was not written since.
         */
        'If-Modified-Since'?: string;
        /**
         * The range is served only while the file has this ETag or date.
         */
        'If-Range'?: string;
    };
    path: {
        /**
         * Id of the share link.
         */
        share_id: string;
    };
    query?: {
        /**
         * `1` goes straight to the file, past the landing page. Other values are ignored.
         */
        download?: '1';
        /**
         * `1` gives the bytes of a picture, sound, film, text or PDF to be shown in the landing page, in place of a download. Ignored for a link with a cap, of which there is no preview, for other files, and for public ones; other values are ignored.
         */
        preview?: '1';
    };
    url: '/s/{share_id}';
};
export type OpenShareErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'SHARE_PASSWORD_REQUIRED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SHARE_NOT_FOUND';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'SHARE_EXHAUSTED' | 'SHARE_EXPIRED';
    };
    /**
     * A condition of the request does not hold.
     */
    412: string;
    /**
     * The range lies outside of the file.
     */
    416: string;
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};
export type OpenShareError = OpenShareErrors[keyof OpenShareErrors];
export type OpenShareResponses = {
    /**
     * The file; or, for a client that asks for HTML, the landing page; or, for a link-preview robot, a card with name and size (with neither for a link with a password).
     */
    200: Blob | File;
    /**
     * The range that was asked for.
     */
    206: Blob | File;
};
export type OpenShareResponse = OpenShareResponses[keyof OpenShareResponses];
export type SubmitSharePasswordData = {
    body: SharePasswordForm;
    path: {
        /**
         * Id of the share link.
         */
        share_id: string;
    };
    query?: {
        /**
         * `1` leads straight to the file, past the landing page, as it does when the link is opened. Other values are ignored.
         */
        download?: '1';
    };
    url: '/s/{share_id}';
};
export type SubmitSharePasswordErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'SHARE_PASSWORD_REQUIRED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SHARE_NOT_FOUND';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'SHARE_EXHAUSTED' | 'SHARE_EXPIRED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};
export type SubmitSharePasswordError = SubmitSharePasswordErrors[keyof SubmitSharePasswordErrors];
export type GetPublicFileData = {
    body?: never;
    headers?: {
        /**
         * One byte range.
         */
        Range?: string;
        /**
         * Answers 412 unless the file has this ETag.
         */
        'If-Match'?: string;
        /**
         * Answers 412 when the file was written since.
         */
        'If-Unmodified-Since'?: string;
        /**
         * Answers 304 when the file still has this ETag.
         */
        'If-None-Match'?: string;
        /**
         * Answers 304 when the file was not written since.
         */
        'If-Modified-Since'?: string;
        /**
         * The range is served only while the file has this ETag or date.
         */
        'If-Range'?: string;
    };
    path: {
        /**
         * The account whose file it is.
         */
        account_id: string;
        /**
         * The file's key, each segment percent-encoded.
         */
        key: string;
    };
    query?: never;
    url: '/{account_id}/{key}';
};
export type GetPublicFileErrors = {
    /**
     * It is not there.
     */
    404: string;
    /**
     * A condition of the request does not hold.
     */
    412: string;
    /**
     * The range lies outside of the file.
     */
    416: string;
    /**
     * A fault of the server; nothing was changed.
     */
    500: string;
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: string;
};
export type GetPublicFileError = GetPublicFileErrors[keyof GetPublicFileErrors];
export type GetPublicFileResponses = {
    /**
     * The whole file.
     */
    200: Blob | File;
    /**
     * The range that was asked for.
     */
    206: Blob | File;
};
export type GetPublicFileResponse = GetPublicFileResponses[keyof GetPublicFileResponses];
export type GetLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/livez';
};
export type GetLivenessErrors = {
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetLivenessError = GetLivenessErrors[keyof GetLivenessErrors];
export type GetLivenessResponses = {
    /**
     * It is.
     */
    200: Success;
};
export type GetLivenessResponse = GetLivenessResponses[keyof GetLivenessResponses];
export type GetReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/readyz';
};
export type GetReadinessErrors = {
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: Error & {
        code?: 'NOT_READY';
    };
};
export type GetReadinessError = GetReadinessErrors[keyof GetReadinessErrors];
export type GetReadinessResponses = {
    /**
     * It can.
     */
    200: Readiness;
};
export type GetReadinessResponse = GetReadinessResponses[keyof GetReadinessResponses];
export type GetMetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};
export type GetMetricsErrors = {
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetMetricsError = GetMetricsErrors[keyof GetMetricsErrors];
export type GetMetricsResponses = {
    /**
     * The counters.
     */
    200: string;
};
export type GetMetricsResponse = GetMetricsResponses[keyof GetMetricsResponses];
