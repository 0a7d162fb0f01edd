// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Gets upload tokens from an address of the page's own server: a POST, with the page's cookies, answered in JSON with
 * `token`, either at the top or as Cubby itself answers it, in `response`.
 */
export declare function tokenFrom(address: string | null): () => Promise<string>;
