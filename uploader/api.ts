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
} from '#dist/modules/client/index.js';
import { answerError } from './answer-error.ts';
import type { Credentials } from './credentials.ts';
import { unlessAborted, within } from './time-limits.ts';
import { UploadError } from './upload-error.ts';
import { xhrFetch, type OnSent } from './xhr-fetch.ts';

/** The query of the request that starts a chunked upload, as the contract defines it. */
export type StartQuery = NonNullable<StartChunkedUploadData['query']>;

/** Time limit of a request with a small body. */
const answerWithinMs = 60_000;

/** An answer with the receipt from its header. */
interface Receipted {
  readonly receipt?: string;
}

/** Options of a request with a large body. */
interface Sending {
  readonly signal: AbortSignal;
  readonly onSent: OnSent;
}

interface PartToPut {
  readonly upload: string;
  readonly number: number;
  readonly bytes: Blob;
  readonly sha256: string | undefined;
}

/** The operations of the contract that uploads need. Each resolves to `response` or throws an UploadError. */
export interface Api {
  uploadObject(
    file: File,
    query: StartQuery & { readonly checksum_sha256?: string },
    sending: Sending,
  ): Promise<UploadedObject & Receipted>;
  /** Also returns the credential that started the upload. */
  start(
    query: StartQuery,
    signal: AbortSignal,
  ): Promise<{ readonly started: StartedChunkedUpload; readonly credential: string }>;
  status(upload: string, signal: AbortSignal): Promise<ChunkedUploadStatus>;
  putPart(part: PartToPut, sending: Sending): Promise<ChunkedPart>;
  complete(upload: string, signal: AbortSignal): Promise<CompletedChunkedUpload & Receipted>;
  abort(upload: string, signal: AbortSignal): Promise<void>;
  info(id: string, signal: AbortSignal): Promise<ObjectInfo>;
  /** Returns an Api that uses other credentials. */
  as(credentials: Credentials): Api;
}

interface ApiOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Replaces the platform's `fetch`. Progress within a request is not reported then. */
  readonly fetch?: typeof fetch | undefined;
}

/** The result of a function of the generated client. */
interface Outcome<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response?: Response | undefined;
}

/** Returns the receipt of an answer, as a field that is absent without one. */
function receiptIn(response: Response): Receipted {
  const receipt = response.headers.get('X-Cubby-Receipt');
  return receipt === null ? {} : { receipt };
}

/** Returns the field alone. */
export function receiptOf({ receipt }: Receipted): Receipted {
  return receipt === undefined ? {} : { receipt };
}

/** Returns what every request needs: its client and credential, its progress, and its limits of time. */
function requests({ baseUrl, credentials, fetch: given }: ApiOptions) {
  const { header } = credentials;
  // Only a session needs a cookie. A cached status would be outdated.
  const client = createClient(
    createConfig({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      credentials: header === 'X-Cubby-CSRF' ? 'same-origin' : 'omit',
      cache: 'no-store',
      ...(given && { fetch: given }),
    }),
  );
  const at = (credential: string) => ({ client, headers: { [header]: credential } });
  const counting = (body: Blob | FormData, onSent: OnSent) =>
    given || typeof XMLHttpRequest === 'undefined' ? {} : { fetch: xhrFetch(body, onSent) as typeof fetch };
  const sending = <T>(signal: AbortSignal, run: (credential: string) => Promise<Outcome<T>>) =>
    unlessAborted(askWith(credentials, run), signal);
  const authorized = <T>(given: AbortSignal, run: (credential: string, signal: AbortSignal) => Promise<Outcome<T>>) =>
    within(answerWithinMs, given, (signal) => askWith(credentials, (credential) => run(credential, signal)));
  return { at, counting, sending, authorized };
}

export function connectApi(options: ApiOptions): Api {
  const { at, counting, sending, authorized } = requests(options);
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
      return { ...answer.response, ...receiptOf(answer) };
    },
    async start(query, given) {
      let used = '';
      const answer = await authorized(given, (credential, signal) =>
        startChunkedUpload({ ...at((used = credential)), query, signal }),
      );
      return { started: answer.response, credential: used };
    },
    async status(upload, given) {
      return (
        await authorized(given, (credential, signal) =>
          getChunkedUpload({ ...at(credential), query: { upload }, signal }),
        )
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
      const answer = await authorized(given, (credential, signal) =>
        completeChunkedUpload({ ...at(credential), body: { upload }, signal }),
      );
      return { ...answer.response, ...receiptOf(answer) };
    },
    async abort(upload, given) {
      await authorized(given, (credential, signal) =>
        abortChunkedUpload({ ...at(credential), body: { upload }, signal }),
      );
    },
    async info(id, given) {
      return (
        await authorized(given, (credential, signal) =>
          getObjectInfo({ ...at(credential), query: { object: id }, signal }),
        )
      ).response;
    },
    as: (credentials) => connectApi({ ...options, credentials }),
  };
}

/** Runs a request. If the credential is refused and another one is available, runs it once more with that one. */
async function askWith<T>(
  credentials: Credentials,
  run: (credential: string) => Promise<Outcome<T>>,
): Promise<T & Receipted> {
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

/** Returns whether another credential could help. It cannot when the account itself may not upload. */
export function isRefusedCredential(error: unknown): boolean {
  return error instanceof UploadError && (error.code === 'ACCESS_DENIED' || error.code === 'UPLOAD_TOKEN_USED');
}

function read<T>({ data, error, response }: Outcome<T>): T & Receipted {
  if (response?.ok && typeof data === 'object' && data !== null && 'status' in data)
    return { ...data, ...receiptIn(response) };
  throw answerError(response, error);
}
