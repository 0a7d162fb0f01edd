import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { StoredObject } from '#server/features/files/object.ts';

/** A file of a bundle, in the form that its page and its archive need. */
export interface BundleFile
  extends ObjectAddress, Pick<StoredObject, 'contentId' | 'sizeBytes' | 'createdAt' | 'expiresAt' | 'originalName'> {
  /** Its place among the files that a link lists, from 1. Null in a folder. */
  readonly number: number | null;
  /** CRC-32 of its bytes. */
  readonly crc32: number;
}

/** A file that a link lists, by its address and its generation. */
type ListedFile = ObjectAddress & Pick<StoredObject, 'generation'>;

/** One step through the files of a folder. */
interface FolderStep extends Pick<ObjectAddress, 'accountId' | 'space'> {
  /** With its slash. */
  readonly folder: string;
  /** The last key of the previous step. Undefined: from the first. */
  readonly behind: string | undefined;
  readonly limit: number;
}

interface BundlesReader {
  /**
   * Returns the files of a link that lists them, in its order, as far as they are still there. Includes expired ones.
   */
  filesOf(idHash: string): Promise<BundleFile[]>;
  /** Returns files of a folder by key, with those of folders in it. Includes expired ones. */
  filesIn(step: FolderStep): Promise<BundleFile[]>;
}

export interface BundlesTable extends BundlesReader {
  /** Adds the files of a link. */
  add(idHash: string, files: readonly ListedFile[]): Promise<void>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly bundles: BundlesReader;
  }
  interface Tables {
    readonly bundles: BundlesTable;
  }
}
