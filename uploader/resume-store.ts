/** What is kept of an upload that is under way, so that it can be taken up again. */
export interface ResumeRecord {
  readonly version: 2;
  /** The server's name of the upload. */
  readonly upload: string;
  /** Where the file will be. */
  readonly id: string;
  readonly chunkSizeBytes: number;
  /** Of each part that the server may keep, by its number: the same name, size and time may stand for other bytes. */
  readonly partSha256: Readonly<Record<number, string>>;
  /** The upload token that opened it, since no other one reaches it. An API key is never kept. */
  readonly uploadToken?: string;
  /** Milliseconds since 1970: when the completion was sent, so that the file may be there although no answer came. */
  readonly completingAt?: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Where records are kept. A `Map` is one, for as long as the program runs. */
export interface ResumeStore {
  get(key: string): unknown;
  set(key: string, record: ResumeRecord): unknown;
  delete(key: string): unknown;
}

/** What tells one upload from another before a byte is read. */
export interface Fingerprint {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
  /** Milliseconds since 1970; 0 for a Blob that has no date. */
  readonly modifiedAt: number;
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Whose upload it is, where the caller says so. */
  readonly scope: string | undefined;
}

/** The key of a record: equal for equal fingerprints, in whatever order the query was written. */
export function resumeKey({ fileName, sizeBytes, mimeType, modifiedAt, baseUrl, query, scope }: Fingerprint): string {
  const destination = Object.entries(query).filter(([, value]) => value !== undefined);
  return JSON.stringify([
    fileName,
    sizeBytes,
    mimeType,
    modifiedAt,
    baseUrl,
    scope ?? null,
    destination.sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

/** Reads a record back; `undefined` for whatever is none, because anyone may write to the place where it is kept. */
export function readRecord(kept: unknown): ResumeRecord | undefined {
  const record = kept as Partial<ResumeRecord> | null | undefined;
  const isOne =
    record?.version === 2 &&
    typeof record.upload === 'string' &&
    typeof record.id === 'string' &&
    Number.isSafeInteger(record.chunkSizeBytes) &&
    record.chunkSizeBytes! > 0 &&
    typeof record.partSha256 === 'object' &&
    record.partSha256 !== null;
  return isOne ? (record as ResumeRecord) : undefined;
}

/** A store that has not answered by then will not. */
const storeAnswersWithinMs = 3_000;

/** A store that fails or never answers must not fail the upload: it is only not resumable then. */
export function forgiving(store: ResumeStore): ResumeStore {
  let isGivenUp = false;
  const calmly = async (ask: () => unknown): Promise<unknown> => {
    if (isGivenUp) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(void (isGivenUp = true)), storeAnswersWithinMs);
    });
    try {
      return await Promise.race([ask(), late]);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    get: (key) => calmly(() => store.get(key)),
    set: (key, record) => calmly(() => store.set(key, record)),
    delete: (key) => calmly(() => store.delete(key)),
  };
}
