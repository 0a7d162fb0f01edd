import type { Checksum } from '../checksums/algorithms.ts';
import type { ObjectAddress } from '../object-id.ts';
import type { Transaction } from '../ports/metadata.ts';
import type { StoredPart } from './chunked-upload.ts';

/** What the parts of a file come to. */
export interface WholeFile {
  readonly sizeBytes: number;
  readonly checksum?: Checksum | undefined;
}

/** How a completion that lists its parts chooses among those that are stored. What it does not accept it throws. */
export interface PartChoice {
  /** The parts that the file will have; those that are left out are thrown away. */
  choose(stored: readonly StoredPart[]): readonly StoredPart[];
  /** Compares the file with what its client says of it; also a file that was completed before. */
  requireWhole(whole: WholeFile): void;
  /** Asks the conditions of the write, in the transaction that writes. */
  requireTarget(tx: Transaction<'objects'>, address: ObjectAddress): Promise<unknown>;
}
