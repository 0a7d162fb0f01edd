// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Returns whether a file matches the `accept` of a file input: extensions (`.pdf`), types (`image/png`) or groups of
 * types (`image/*`). The browser checks `accept` only in its dialog, not for dropped files.
 */
export declare function isAccepted({ name, type }: {
    readonly name: string;
    readonly type: string;
}, accept: string): boolean;
