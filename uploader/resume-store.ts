/** The record of an unfinished upload, kept for resuming it. */
export interface ResumeRecord {
  readonly version: 2;
  /** The server's identifier of the upload. */
  readonly upload: string;
  /** The id of the file once the upload completes. */
  readonly id: string;
  readonly chunkSizeBytes: number;
  /**
   * SHA-256 of each part that the server may keep, by part number. The same name, size and time may belong to other
   * bytes.
   */
  readonly partSha256: Readonly<Record<number, string>>;
  /** The upload token that opened the upload, since no other token can access it. An API key is never stored. */
  readonly uploadToken?: string;
  /** Milliseconds since 1970. When the completion was requested: the file may exist even if no response came. */
  readonly completingAt?: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** A store of records. A `Map` works too, until the program ends. */
export interface ResumeStore {
  get(key: string): unknown;
  set(key: string, record: ResumeRecord): unknown;
  delete(key: string): unknown;
}

/** The properties that distinguish one upload from another before a byte is read. */
export interface Fingerprint {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
  /** Milliseconds since 1970. 0 for a Blob, which has no date. */
  readonly modifiedAt: number;
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The owner of the upload, if the caller names one. */
  readonly scope: string | undefined;
}

/** Returns the key of a record. Equal fingerprints have equal keys, whatever the order of the query. */
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

/** Validates a stored record. Returns `undefined` for anything else, because other scripts can write to the store. */
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

/** A store that does not respond within this time is given up. */
const storeAnswersWithinMs = 3_000;

/** Wraps a store so that its failure or silence never fails the upload. The upload is only not resumable then. */
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
