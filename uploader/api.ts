import {
  abortChunkedUpload,
  completeChunkedUpload,
  createClient,
  createConfig,
  getChunkedUpload,
  getObjectInfo,
  putChunkedPart,
  startChunkedUpload,
  uploadObject,
  type ChunkedPart,
  type ChunkedUploadStatus,
  type CompletedChunkedUpload,
  type ObjectInfo,
  type StartChunkedUploadData,
  type StartedChunkedUpload,
  type UploadedObject,
} from '../generated/client/index.js';
import { answerError } from './answer-error.ts';
import type { Credentials } from './credentials.ts';
import { unlessAborted, within } from './time-limits.ts';
import { UploadError } from './upload-error.ts';
import { xhrFetch, type OnSent } from './xhr-fetch.ts';

/** The query of a chunked upload's start, as the contract has it. */
export type StartQuery = NonNullable<StartChunkedUploadData['query']>;

/** Requests without many bytes are answered by then, or never. */
const answerWithinMs = 60_000;

/** How a request with a body of many bytes is sent. */
export interface Sending {
  readonly signal: AbortSignal;
  readonly onSent: OnSent;
}

export interface PartToPut {
  readonly upload: string;
  readonly number: number;
  readonly bytes: Blob;
  readonly sha256: string | undefined;
}

/** The operations of the contract that uploads need: each gives its `response`, or throws an UploadError. */
export interface Api {
  uploadObject(
    file: File,
    query: StartQuery & { readonly checksum_sha256?: string },
    sending: Sending,
  ): Promise<UploadedObject>;
  /** Tells with which credential it was started. */
  start(
    query: StartQuery,
    signal: AbortSignal,
  ): Promise<{ readonly started: StartedChunkedUpload; readonly credential: string }>;
  status(upload: string, signal: AbortSignal): Promise<ChunkedUploadStatus>;
  putPart(part: PartToPut, sending: Sending): Promise<ChunkedPart>;
  complete(upload: string, signal: AbortSignal): Promise<CompletedChunkedUpload>;
  abort(upload: string, signal: AbortSignal): Promise<void>;
  info(id: string, signal: AbortSignal): Promise<ObjectInfo>;
  /** The same with other credentials. */
  as(credentials: Credentials): Api;
}

export interface ApiOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** In the place of the platform's own; bytes on their way are not counted then. */
  readonly fetch?: typeof fetch | undefined;
}

/** What a function of the generated client resolves to. */
interface Outcome<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response?: Response | undefined;
}

export function connectApi({ baseUrl, credentials, fetch: given }: ApiOptions): Api {
  // No cookies: the credential stands in a header. A status from a cache would be an old one.
  const client = createClient(
    createConfig({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      credentials: 'omit',
      cache: 'no-store',
      ...(given && { fetch: given }),
    }),
  );
  const at = (credential: string) => ({ client, headers: { Authorization: credential } });
  const counting = (body: Blob | FormData, onSent: OnSent) =>
    given || typeof XMLHttpRequest === 'undefined' ? {} : { fetch: xhrFetch(body, onSent) as typeof fetch };
  const sending = <T>(signal: AbortSignal, run: (credential: string) => Promise<Outcome<T>>) =>
    unlessAborted(askWith(credentials, run), signal);
  const asking = <T>(given: AbortSignal, run: (credential: string, signal: AbortSignal) => Promise<Outcome<T>>) =>
    within(answerWithinMs, given, (signal) => askWith(credentials, (credential) => run(credential, signal)));
  return {
    async uploadObject(file, query, { signal, onSent }) {
      const form = new FormData();
      form.append('file', file);
      const answer = await sending(signal, (credential) =>
        uploadObject({
          ...at(credential),
          query,
          body: { file },
          bodySerializer: () => form,
          signal,
          ...counting(form, onSent),
        }),
      );
      return answer.response;
    },
    async start(query, given) {
      let used = '';
      const answer = await asking(given, (credential, signal) =>
        startChunkedUpload({ ...at((used = credential)), query, signal }),
      );
      return { started: answer.response, credential: used };
    },
    async status(upload, given) {
      return (
        await asking(given, (credential, signal) => getChunkedUpload({ ...at(credential), query: { upload }, signal }))
      ).response;
    },
    async putPart({ upload, number, bytes, sha256 }, { signal, onSent }) {
      const query = { upload, part: number, ...(sha256 !== undefined && { checksum_sha256: sha256 }) };
      const answer = await sending(signal, (credential) =>
        putChunkedPart({ ...at(credential), query, body: bytes, signal, ...counting(bytes, onSent) }),
      );
      return answer.response;
    },
    async complete(upload, given) {
      return (
        await asking(given, (credential, signal) =>
          completeChunkedUpload({ ...at(credential), body: { upload }, signal }),
        )
      ).response;
    },
    async abort(upload, given) {
      await asking(given, (credential, signal) => abortChunkedUpload({ ...at(credential), body: { upload }, signal }));
    },
    async info(id, given) {
      return (
        await asking(given, (credential, signal) => getObjectInfo({ ...at(credential), query: { object: id }, signal }))
      ).response;
    },
    as: (others) => connectApi({ baseUrl, credentials: others, fetch: given }),
  };
}

/** Runs a request; once more with another credential when the first is refused and there is another. */
async function askWith<T>(credentials: Credentials, run: (credential: string) => Promise<Outcome<T>>): Promise<T> {
  const credential = await credentials.current();
  try {
    return read(await run(credential));
  } catch (error) {
    if (!isRefusedCredential(error)) throw error;
    const next = await credentials.renew(credential);
    if (next === credential) throw error;
    return read(await run(next));
  }
}

/** Whether another credential would help: not where the account itself may not upload. */
export function isRefusedCredential(error: unknown): boolean {
  return error instanceof UploadError && (error.code === 'ACCESS_DENIED' || error.code === 'UPLOAD_TOKEN_USED');
}

function read<T>({ data, error, response }: Outcome<T>): T {
  if (response?.ok && typeof data === 'object' && data !== null && 'status' in data) return data;
  throw answerError(response, error);
}
