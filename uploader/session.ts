import type { Api } from './api.ts';
import { chunkSize } from './chunk-plan.ts';
import { credentialsFrom, isUploadToken } from './credentials.ts';
import type { Job } from './job.ts';
import { readRecord, type ResumeRecord } from './resume-store.ts';
import { retrying } from './retry.ts';
import { sha256 } from './sha256.ts';

/** One chunked upload on the server, seen from here. */
export interface Session {
  readonly upload: string;
  readonly chunkSizeBytes: number;
  readonly api: Api;
  /** The upload token that opened it and alone reaches it; undefined when it was a key. */
  readonly uploadToken: string | undefined;
  /** Begun by an earlier page or program. */
  readonly isResumed: boolean;
  /** Undefined without WebCrypto, or when nobody wants to know. */
  readonly firstPartSha256: string | undefined;
  /** Bytes of each stored part; undefined when the server has to be asked. */
  storedBytes: Map<number, number> | undefined;
  isCompleting: boolean;
  /** Remembers that the file may be there from now on. */
  markCompleting(): Promise<void>;
}

/**
 * Starts an upload. The signal ends only the waits between tries: whoever aborts the request itself does not learn what
 * it opened.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function openSession(job: Job, signal: AbortSignal): Promise<Session> {
  const { file, fileName, query, resume } = job;
  const description = { filename: fileName.slice(-255), size: file.size, ...(isMediaType(file.type) && { mime_type: file.type }) };
  const { started, credential } = await retrying(() => job.api.start({ ...query, ...description }), { policy: job.policy, signal, brake: job.brake });
  const { min_size: minSizeBytes, max_size: maxSizeBytes, max_parts: maxParts } = started.chunk;
  const chunkSizeBytes = chunkSize(file.size, { minSizeBytes, maxSizeBytes, maxParts }, job.chunkSizeBytes);
  const firstPartSha256 = job.hasChecksums || resume ? await sha256(file.slice(0, chunkSizeBytes)) : undefined;
  const record: ResumeRecord | undefined =
    firstPartSha256 === undefined
      ? undefined
      : {
          version: 1,
          upload: started.upload,
          chunkSizeBytes,
          firstPartSha256,
          ...(isUploadToken(credential) && { uploadToken: credential }),
          startedAt: Date.now(),
        };
  if (record) await resume?.store.set(resume.key, record);
  return sessionOf(job, { upload: started.upload, chunkSizeBytes, firstPartSha256, uploadToken: isUploadToken(credential) ? credential : undefined, record, storedBytes: new Map() });
}

/** Takes up what was remembered of the same file, once its first part is seen to be the same. */
export async function resumeSession(job: Job, signal: AbortSignal): Promise<Session | undefined> {
  const { resume, file } = job;
  const record = readRecord(await resume?.store.get(resume.key));
  if (!record) return undefined;
  const firstPartSha256 = await sha256(file.slice(0, record.chunkSizeBytes));
  signal.throwIfAborted();
  if (firstPartSha256 !== record.firstPartSha256) return undefined;
  return sessionOf(job, { ...record, uploadToken: record.uploadToken, record, storedBytes: undefined });
}

/** Drops what was remembered. */
export async function forgetSession({ resume }: Job): Promise<void> {
  await resume?.store.delete(resume.key);
}

interface Known {
  readonly upload: string;
  readonly chunkSizeBytes: number;
  readonly firstPartSha256: string | undefined;
  readonly uploadToken: string | undefined;
  readonly record: ResumeRecord | undefined;
  readonly storedBytes: Map<number, number> | undefined;
}

function sessionOf({ api, resume }: Job, { upload, chunkSizeBytes, firstPartSha256, uploadToken, record, storedBytes }: Known): Session {
  return {
    upload,
    chunkSizeBytes,
    firstPartSha256,
    storedBytes,
    api: uploadToken === undefined ? api : api.as(credentialsFrom(uploadToken)),
    uploadToken,
    isResumed: storedBytes === undefined,
    isCompleting: record?.isCompleting ?? false,
    async markCompleting() {
      if (this.isCompleting) return;
      this.isCompleting = true;
      if (record) await resume?.store.set(resume.key, { ...record, isCompleting: true });
    },
  };
}

/** The contract's pattern of `mime_type`; what a browser does not know is an empty text. */
function isMediaType(type: string): boolean {
  return type.length <= 255 && /^[^/\s]+\/[^/\s]+(\s*;.*)?$/.test(type);
}
