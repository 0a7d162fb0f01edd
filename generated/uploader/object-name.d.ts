// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * A name that the contract allows, made of a file's own name: its extension is dropped (the server adds it), accents
 * are taken off, other characters become `-`. Where anything was changed or cut, a short sum of the whole name is
 * added, so that two such files do not replace each other. The same file gets the same name each time.
 *
 * @see ObjectName in the contract
 */
export declare function objectName(filename: string): string;
