import type { ToldShare } from '#server/domain/events/share-event.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';

/** The share links of a file, as far as changes of the file change them. */
export interface LinksOfFileTable {
  /**
   * Notes that the open links to an address have lost their file, so that lists and counts of links do not read them.
   * Returns them. These are at most a thousand, those that last longest.
   */
  lose(address: ObjectAddress): Promise<ToldShare[]>;
  /** Undoes this for the links of a generation that have not expired at `now`. Returns them. */
  regain(address: ObjectAddress, generation: string, now: number): Promise<ToldShare[]>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Tables {
    readonly linksOfFile: LinksOfFileTable;
  }
}
