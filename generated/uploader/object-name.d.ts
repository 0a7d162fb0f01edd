// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * A name that the contract allows, made of a file's own name: its extension is dropped (the server adds it), accents
 * are taken off, other characters become `-`. Where anything was changed or cut, a short sum of the whole name is
 * added, so that two such files do not replace each other. The same file gets the same name each time.
 *
 * @see openapi/schemas/ObjectName.yaml
 */
export declare function objectName(filename: string): string;
/** Where a file goes. */
export interface ObjectPlace {
    /** Left out for none. */
    readonly prefix?: string;
    readonly name: string;
}
/**
 * The prefix and the name of a file of a folder, `Holiday/2026/beach.jpg`. Its folders follow the prefix, as many as the contract takes;
 * the others, or all of them with `isFlat`, become a part of the name. So two files never get the same place by being moved together.
 *
 * @param prefix where the folder goes
 */
export declare function objectPlace(path: string, prefix?: string, isFlat?: boolean): ObjectPlace;
