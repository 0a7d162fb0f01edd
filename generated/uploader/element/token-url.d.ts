// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Returns a function that requests an upload token from the page's own server. It sends a POST with the page's cookies.
 * The JSON response holds `token` at the top, or in `response` as Cubby's own does.
 */
export declare function tokenFrom(address: string | null): () => Promise<string>;
