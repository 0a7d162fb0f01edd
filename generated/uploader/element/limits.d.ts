// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Which files an element takes. */
export interface Limits {
    readonly accept: string;
    readonly minBytes: number;
    readonly maxBytes: number;
    readonly maxTotalBytes: number;
    readonly maxFiles: number;
}
/** Why a file is not taken, before anything of it is sent. `page`: the page itself said no to the `adding` event. */
export type RefusalReason = 'type' | 'small' | 'large' | 'total' | 'count' | 'folder' | 'empty' | 'hidden' | 'unreadable' | 'page';
/** What the attributes say, within what the server takes. */
export declare function limitsOf(element: Element): Limits;
/** Why this file is not taken beside so many others; undefined when it is. */
export declare function refusalOf(file: File, limits: Limits, others: {
    readonly files: number;
    readonly bytes: number;
}): RefusalReason | undefined;
