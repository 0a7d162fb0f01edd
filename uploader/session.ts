import type { Api } from './api.ts';
import { chunkSize } from './chunk-plan.ts';
import { credentialsFrom, isUploadToken } from './credentials.ts';
import { retriesOf, type Job } from './job.ts';
import { recordWriter, type RecordWriter } from './record-writer.ts';
import { readRecord, type ResumeRecord } from './resume-store.ts';
import { retrying, sharedBackoff } from './retry.ts';
import { lingering } from './time-limits.ts';

/** After a cancellation, a start request may still run for this long, so that the upload it opened becomes known. */
const startLingersMs = 5_000;
/** Time limit for removing an upload. The server itself removes it a day later. */
const abandonWithinMs = 15_000;

/** One chunked upload on the server, as this client sees it. */
export interface Session {
  readonly upload: string;
  /** The id of the file once the upload completes. */
  readonly id: string;
  readonly chunkSizeBytes: number;
  readonly api: Api;
  /** The upload token that opened the upload. No other credential can access it. Undefined for a key. */
  readonly uploadToken: string | undefined;
  /** Whether an earlier page or program started it. */
  readonly isResumed: boolean;
  /** Milliseconds since 1970. When an earlier page or program requested the completion. */
  readonly completionRequestedAt: number | undefined;
  readonly record: RecordWriter;
  /** Size in bytes of each stored part. Undefined when only the server knows. */
  storedBytes: Map<number, number> | undefined;
  /** Whether the stored parts were compared with the file since the last answer of the server. */
  isChecked: boolean;
  isCompleting: boolean;
  /** Whether the upload was completed, so that the server accepts no more parts. */
  isOver: boolean;
}

/**
 * Starts an upload. The signal ends the waits between attempts at once, but the request itself only after a delay. A
 * request aborted at once would not reveal which upload it opened.
 *
 * @param beside a session that the new one may replace. Its parts count towards the quota, so the new upload declares
 * no size.
 * @throws {UploadError}, or the signal's reason
 */
export async function openSession(job: Job, signal: AbortSignal, beside?: Session): Promise<Session> {
  signal.throwIfAborted();
  const { file, fileName, query, resume } = job;
  const description = {
    filename: fileName.slice(-255),
    ...(!beside && { size: file.size }),
    ...(isMediaType(file.type) && { mime_type: file.type }),
  };
  const start = () => lingering(startLingersMs, signal, (late) => job.api.start({ ...query, ...description }, late));
  const { started, credential } = await retrying(start, retriesOf(job, signal));
  const { min_size: minSizeBytes, max_size: maxSizeBytes, max_parts: maxParts } = started.chunk;
  const record: ResumeRecord = {
    version: 2,
    upload: started.upload,
    id: started.id,
    chunkSizeBytes: chunkSize(file.size, { minSizeBytes, maxSizeBytes, maxParts }, job.chunkSizeBytes),
    partSha256: {},
    ...(isUploadToken(credential) && { uploadToken: credential }),
    startedAt: Date.now(),
  };
  if (!beside) await resume?.store.set(resume.key, record);
  return sessionOf(job, record, false);
}

/** Builds the session of a record. */
export function sessionOf({ api, resume }: Job, record: ResumeRecord, isResumed: boolean): Session {
  const { upload, id, chunkSizeBytes, uploadToken, completingAt } = record;
  return {
    upload,
    id,
    chunkSizeBytes,
    api: uploadToken === undefined ? api : api.as(credentialsFrom(uploadToken)),
    uploadToken,
    isResumed,
    completionRequestedAt: completingAt,
    record: recordWriter(resume, record),
    storedBytes: isResumed ? undefined : new Map(),
    isChecked: !isResumed,
    isCompleting: completingAt !== undefined,
    isOver: false,
  };
}

/** Deletes the record of a session, unless another session has replaced it. */
export async function forgetSession({ resume }: Job, { upload }: Session): Promise<void> {
  const record = readRecord(await resume?.store.get(resume.key));
  if (record?.upload === upload) await resume?.store.delete(resume.key);
}

/** Deletes a session's record and its stored parts. Never throws. */
export async function abandon(job: Job, session: Session): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), abandonWithinMs);
  try {
    await forgetSession(job, session);
    // It has its own backoff, so that a pause does not delay it.
    await retrying(() => session.api.abort(session.upload, late.signal), {
      policy: job.policy,
      signal: late.signal,
      backoff: sharedBackoff(),
    });
  } catch {
    // The upload is already gone, or the server is unreachable.
  } finally {
    clearTimeout(timer);
  }
}

/** Checks the contract's pattern of `mime_type`. Browsers give an empty string for an unknown type. */
function isMediaType(type: string): boolean {
  return type.length <= 255 && /^[^/\s]+\/[^/\s]+(\s*;.*)?$/.test(type);
}
