// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** The files that the element accepts. */
export interface Limits {
    readonly accept: string;
    readonly minBytes: number;
    readonly maxBytes: number;
    readonly maxTotalBytes: number;
    readonly maxFiles: number;
}
/** The reason why a file is rejected before it is sent. `page`: the page prevented the `adding` event. */
export type RefusalReason = 'type' | 'small' | 'large' | 'total' | 'count' | 'folder' | 'empty' | 'hidden' | 'unreadable' | 'page';
/** Reads the limits from the attributes, within the server's limits. */
export declare function limitsOf(element: Element): Limits;
/** Returns why a file is rejected, given the files already listed. Undefined when it is accepted. */
export declare function refusalOf(file: File, limits: Limits, others: {
    readonly files: number;
    readonly bytes: number;
}): RefusalReason | undefined;
