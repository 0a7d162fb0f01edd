import type { AnnouncedSize } from './announced-size.ts';

/** The facts that determine a file's extension. */
export interface FileKind {
  /** Empty when it has none. */
  readonly filename: string;
  readonly mimeType: string;
}

/** A file that is being uploaded. */
export interface IncomingFile extends FileKind, AnnouncedSize {
  /** The bytes. At their end they throw a refusal if the body was not complete or had something else in it. */
  readonly bytes: AsyncIterable<Uint8Array>;
}
