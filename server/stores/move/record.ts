import type { MovedRow } from './rows.ts';

/** Where the rows or the blobs go, for people, without secrets. Null: they stay. */
export interface Destination {
  readonly rows: string | null;
  readonly blobs: string | null;
}

/** How far a table has been copied. */
export interface TableProgress {
  /** The key of the last row that was copied; null before the first. */
  readonly after: MovedRow | null;
  readonly isDone: boolean;
  readonly rows: number;
}

/** What a move has done so far. It is stored in the source, so that another process can go on with it. */
export interface MoveRecord {
  readonly to: Destination;
  readonly phase: 'copying' | 'moved';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly tables: Readonly<Record<string, TableProgress>>;
  readonly blobs: { readonly count: number; readonly bytes: number };
  /** When writes were refused for the switch, and how long that took until the new store was ready. */
  readonly switched: { readonly at: number; readonly refusedMs: number } | null;
}

export function newRecord(to: Destination, startedAt: number): MoveRecord {
  return { to, phase: 'copying', startedAt, tables: {}, blobs: { count: 0, bytes: 0 }, switched: null };
}

/** Returns the record as text. Bytes of a key are an object with their hex digits. */
export function recordText(record: MoveRecord): string {
  return JSON.stringify(record, (_name, value: unknown) =>
    value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value,
  );
}

export function parseRecord(text: string): MoveRecord {
  return JSON.parse(text, (_name, value: unknown) =>
    isHex(value) ? new Uint8Array(Buffer.from(value.hex, 'hex')) : value,
  ) as MoveRecord;
}

function isHex(value: unknown): value is { readonly hex: string } {
  return typeof value === 'object' && value !== null && 'hex' in value && typeof value.hex === 'string';
}

/** Returns the destination as a text: "the rows to …, the blobs to …". */
export function destinationText({ rows, blobs }: Destination): string {
  return [rows !== null && `the rows to ${rows}`, blobs !== null && `the blobs to ${blobs}`].filter(Boolean).join(', ');
}
