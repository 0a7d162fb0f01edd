import { connectApi, type Api } from './api.ts';
import { guarded } from './callbacks.ts';
import type { Control } from './control.ts';
import { credentialsFrom, type Credentials } from './credentials.ts';
import { indexedDbStore } from './indexed-db-store.ts';
import { watchConnectivity, type Connectivity } from './connectivity.ts';
import { objectName } from './object-name.ts';
import type { UploadOptions, UploadQuery } from './options.ts';
import { partSumsOf, type PartSums } from './part-sums.ts';
import { probeOf } from './probe.ts';
import { forgiving, resumeKey, type Fingerprint, type ResumeStore } from './resume-store.ts';
import { policyOf, retrying, sharedBackoff, type Backoff, type RetryPolicy, type Retrying } from './retry.ts';
import { progressCounter, type ProgressCounter } from './progress.ts';
import { unlessAborted } from './time-limits.ts';
import { UploadError } from './upload-error.ts';

/** The server accepts this many parts of an account at a time. */
const mostParts = 6;

/** One file and everything that its upload needs. A job never changes. */
export interface Job {
  readonly file: Blob;
  readonly fileName: string;
  readonly query: UploadQuery;
  readonly api: Api;
  readonly credentials: Credentials;
  readonly concurrency: number;
  readonly chunkSizeBytes: number | undefined;
  readonly hasChecksums: boolean;
  readonly sumOf: PartSums;
  readonly policy: RetryPolicy;
  readonly backoff: Backoff;
  readonly connectivity: Connectivity;
  readonly progress: ProgressCounter;
  /** Undefined when the upload cannot be resumed later. */
  readonly resume: Resume | undefined;
}

/** The place where an upload's record is kept. */
interface Resume {
  readonly store: ResumeStore;
  readonly key: string;
  /** The store that the caller passed. The same object means the same records. */
  readonly place: object;
  /** Whether the caller states that all its tokens lead to the same destination. */
  readonly isVouched: boolean;
}

/**
 * Builds the job of one upload.
 *
 * @throws {TypeError} when there is neither `baseUrl` nor a page origin
 */
export function jobOf(file: Blob, options: UploadOptions, control: Control): Job {
  const baseUrl = options.baseUrl ?? globalThis.location?.origin;
  if (baseUrl === undefined)
    throw new TypeError(
      'uploadFile() needs "baseUrl" outside a page. Set it to the address of the server, without /v1.',
    );
  const { name } = file as Partial<File>;
  const fileName = options.fileName ?? name ?? 'file';
  const query = { name: objectName(fileName), ...options.query };
  const credentials = credentialsFrom(options.credential);
  return {
    file,
    fileName,
    query,
    credentials,
    api: connectApi({ baseUrl, credentials, fetch: options.fetch }),
    concurrency: Math.max(1, options.concurrency ?? mostParts),
    chunkSizeBytes: options.chunkSizeBytes,
    hasChecksums: options.checksum !== 'none',
    sumOf: partSumsOf(file),
    policy: policyOf(options.retry),
    backoff: sharedBackoff(control),
    connectivity: watchConnectivity({ probe: probeOf(baseUrl, options.fetch), tell: control.setDown }),
    progress: progressCounter(file.size, guarded(options.onProgress)),
    resume: resumeOf(file, options, { fileName, baseUrl, query }),
  };
}

/** Returns how the job's requests are retried. */
export function retriesOf({ policy, backoff, connectivity }: Job, signal: AbortSignal): Retrying {
  return { policy, backoff, connectivity, signal };
}

/**
 * Returns the current credential. If its address cannot be reached, the call is retried like a request. Any other
 * failure is final.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function credentialOf(job: Job, signal: AbortSignal): Promise<string> {
  const found = await retrying(
    async () => {
      try {
        return { credential: await unlessAborted(job.credentials.current(), signal) };
      } catch (error) {
        if (error instanceof UploadError && error.code === 'NETWORK_ERROR') throw error;
        return { error };
      }
    },
    retriesOf(job, signal),
  );
  if ('error' in found) throw found.error;
  return found.credential;
}

function resumeOf(
  file: Blob,
  options: UploadOptions,
  to: Pick<Fingerprint, 'fileName' | 'baseUrl' | 'query'>,
): Resume | undefined {
  const place = options.resumeStore === undefined ? ownStore() : options.resumeStore;
  // Without checksums, nothing shows whether the file is still the same.
  if (!place || options.checksum === 'none' || !globalThis.crypto?.subtle) return undefined;
  const { lastModified: modifiedAt = 0 } = file as Partial<File>;
  const key = resumeKey({ ...to, sizeBytes: file.size, mimeType: file.type, modifiedAt, scope: options.resumeScope });
  return { store: forgiving(place), key, place, isVouched: options.resumeScope !== undefined };
}

let pageStore: ResumeStore | undefined;

function ownStore(): ResumeStore | undefined {
  return typeof indexedDB === 'undefined' ? undefined : (pageStore ??= indexedDbStore());
}
