import type { BlobStore } from '../ports/blobs.ts';

/** Small files of a backup under names that people can read: `generations/20261125T213000000Z.json`. */
export interface Documents {
  /** Returns the bytes, or undefined when there is no such document. */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Writes a document, in place of one of this name. A reader finds the old one or the new one, also after a power cut.
   */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Returns the names in a folder, without the folder, in their order. */
  names(folder: string): Promise<string[]>;
  /** Removes a document. Does nothing if there is none. */
  delete(name: string): Promise<void>;
}

/** A place that holds backups of one installation. */
export interface BackupTarget {
  /** The address for people, without secrets. */
  readonly address: string;
  readonly documents: Documents;
  /** The blobs of files, under their own ids. */
  readonly blobs: BlobStore;
  /** The pieces of databases, under ids that follow from their bytes. */
  readonly chunks: BlobStore;
  /** Removes what cut-off writes left. Call it while nobody writes. */
  sweep(): Promise<void>;
}

/** A backup or a restore cannot be done like this. The message is one or two sentences for the operator. */
export class BackupRefused extends Error {
  override readonly name: string = 'BackupRefused';
}

/** There is no backup in a place that could hold one: a folder that is empty, or is not there. */
export class NoBackupYet extends BackupRefused {}

/** How far a step has come. */
export interface BackupStep {
  readonly doing: string;
  readonly done?: number;
  readonly total?: number;
  /** Besides the bytes in `done` and `total`, for a step that copies files. */
  readonly files?: { readonly done: number; readonly total: number };
}

export type OnBackupStep = (step: BackupStep) => void;

/** Returns a document as a value, or undefined when there is none. @throws {BackupRefused} when it is no JSON */
export async function readJson<T>({ documents, address }: BackupTarget, name: string): Promise<T | undefined> {
  const bytes = await documents.read(name);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as T;
  } catch {
    throw new BackupRefused(`The document ${name} of the backup in ${address} is damaged: it is not JSON.`);
  }
}

export function writeJson({ documents }: BackupTarget, name: string, value: unknown): Promise<void> {
  return documents.write(name, Buffer.from(`${JSON.stringify(value)}\n`));
}
