/** A link whose account is looked up later. */
interface LinkOwner {
  /** The same for every request to the link. Not its secret. */
  readonly key: string;
  /** Reads the account. Returns undefined for a link that does not exist, such as a guessed one. */
  account(): Promise<string | undefined>;
}

/** The owner of a public file or a link. */
export type PathOwner = { readonly accountId: string } | LinkOwner;

/** A path that belongs to somebody. */
export interface OwnedPath {
  readonly owner: PathOwner;
  /** Without secrets such as the ids of links. */
  readonly path: string;
}

/** Finds the owner of a link by its path, such as `/s/…`. Returns undefined for any other path. Reads no store yet. */
export type FindLinkOwner = (path: string) => OwnedPath | undefined;
