/** What is kept of an upload that is under way, so that it can be taken up again. */
export interface ResumeRecord {
  readonly version: 1;
  /** The server's name of the upload. */
  readonly upload: string;
  readonly chunkSizeBytes: number;
  /** Of the first part: the same name, size and time may stand for other bytes. */
  readonly firstPartSha256: string;
  /** The upload token that opened it, since no other one reaches it. An API key is never kept. */
  readonly uploadToken?: string;
  /** The completion was sent, so the file may be there although no answer came. */
  readonly isCompleting?: boolean;
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
  /** Milliseconds since 1970; 0 for a Blob that has no date. */
  readonly modifiedAt: number;
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** The key of a record: equal for equal fingerprints, in whatever order the query was written. */
export function resumeKey({ fileName, sizeBytes, modifiedAt, baseUrl, query }: Fingerprint): string {
  const destination = Object.entries(query).filter(([, value]) => value !== undefined);
  return JSON.stringify([fileName, sizeBytes, modifiedAt, baseUrl, destination.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Reads a record back; `undefined` for whatever is none, because anyone may write to the place where it is kept. */
export function readRecord(kept: unknown): ResumeRecord | undefined {
  const record = kept as Partial<ResumeRecord> | null | undefined;
  const isOne =
    record?.version === 1 &&
    typeof record.upload === 'string' &&
    Number.isSafeInteger(record.chunkSizeBytes) &&
    record.chunkSizeBytes! > 0 &&
    typeof record.firstPartSha256 === 'string';
  return isOne ? (record as ResumeRecord) : undefined;
}

/** A store that fails must not fail the upload: it is only not resumable then. */
export function forgiving(store: ResumeStore): ResumeStore {
  const calmly = async (ask: () => unknown): Promise<unknown> => {
    try {
      return await ask();
    } catch {
      return undefined;
    }
  };
  return {
    get: (key) => calmly(() => store.get(key)),
    set: (key, record) => calmly(() => store.set(key, record)),
    delete: (key) => calmly(() => store.delete(key)),
  };
}
