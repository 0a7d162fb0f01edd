import { type Client, type ClientMeta, type Options as Options2, type RequestResult, type TDataShape } from './client/index.js';
import type { DeleteObjectsData, DeleteObjectsErrors, DeleteObjectsResponses, GetLivenessData, GetLivenessErrors, GetLivenessResponses, GetMetricsData, GetMetricsErrors, GetMetricsResponses, GetObjectInfoData, GetObjectInfoErrors, GetObjectInfoResponses, GetPublicFileData, GetPublicFileErrors, GetPublicFileResponses, GetReadinessData, GetReadinessErrors, GetReadinessResponses, ListObjectsData, ListObjectsErrors, ListObjectsResponses, UploadObjectData, UploadObjectErrors, UploadObjectResponses } from './types.js';
export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};
/**
 * Delete files
 *
 * Deletes one file (`object`, or `objects` with one entry) or up to 100 (`objects`). A single missing file answers 404;
 * several answer a report of what was deleted, not found and failed. Deletion cannot be undone.
 *
 */
export declare const deleteObjects: <ThrowOnError extends boolean = false>(options: Options<DeleteObjectsData, ThrowOnError>) => RequestResult<DeleteObjectsResponses, DeleteObjectsErrors, ThrowOnError>;
/**
 * List files
 *
 * Lists the account's files in byte order of their keys, public ones first, then private, then legacy. Up to 1000 on a
 * page; `continuationToken` of one page asks for the next and is absent on the last. With `delimiter=/` what lies
 * deeper than the next `/` is rolled up into `folders`; files and folders count towards `limit` together.
 *
 */
export declare const listObjects: <ThrowOnError extends boolean = false>(options?: Options<ListObjectsData, ThrowOnError>) => RequestResult<ListObjectsResponses, ListObjectsErrors, ThrowOnError>;
/**
 * Upload one file
 *
 * Takes one file of 512 bytes to 104,857,600 bytes as multipart/form-data with exactly one part, `file`. Larger files
 * go in chunks.
 *
 * The stored key is `[prefix/]name[_hash][-exN].ext`. The extension comes from the uploaded filename, else from the
 * part's MIME type, else it is `bin`. Uploading the same name again replaces the file, unless `overwrite=false`.
 * What is answered as stored survives a power cut.
 *
 */
export declare const uploadObject: <ThrowOnError extends boolean = false>(options: Options<UploadObjectData, ThrowOnError>) => RequestResult<UploadObjectResponses, UploadObjectErrors, ThrowOnError>;
/**
 * File details
 *
 * Everything that is known of one file.
 */
export declare const getObjectInfo: <ThrowOnError extends boolean = false>(options: Options<GetObjectInfoData, ThrowOnError>) => RequestResult<GetObjectInfoResponses, GetObjectInfoErrors, ThrowOnError>;
/**
 * Fetch a public file
 *
 * Serves a public file on the public host. Byte ranges and conditional requests work as in RFC 9110; `HEAD` answers the
 * headers alone. Types that a browser would run or render as a document with script are served as
 * `application/octet-stream` attachments. `key` may carry slashes.
 *
 */
export declare const getPublicFile: <ThrowOnError extends boolean = false>(options: Options<GetPublicFileData, ThrowOnError>) => RequestResult<GetPublicFileResponses, GetPublicFileErrors, ThrowOnError>;
/**
 * Is the process alive
 *
 * Answers as long as the process runs. For a supervisor that restarts it.
 */
export declare const getLiveness: <ThrowOnError extends boolean = false>(options?: Options<GetLivenessData, ThrowOnError>) => RequestResult<GetLivenessResponses, GetLivenessErrors, ThrowOnError>;
/**
 * Can the process serve
 *
 * Answers 200 while the stores answer and no stop is under way. For a load balancer.
 */
export declare const getReadiness: <ThrowOnError extends boolean = false>(options?: Options<GetReadinessData, ThrowOnError>) => RequestResult<GetReadinessResponses, GetReadinessErrors, ThrowOnError>;
/**
 * Counters for Prometheus
 *
 * Counters and histograms in the Prometheus text format. They name no account, key or file.
 */
export declare const getMetrics: <ThrowOnError extends boolean = false>(options?: Options<GetMetricsData, ThrowOnError>) => RequestResult<GetMetricsResponses, GetMetricsErrors, ThrowOnError>;
