// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Whether a file fits the `accept` of a file input: endings (`.pdf`), types (`image/png`), groups of types (`image/*`).
 * The browser looks at it only in its dialog, not when files are dropped.
 */
export declare function isAccepted({ name, type }: {
    readonly name: string;
    readonly type: string;
}, accept: string): boolean;
