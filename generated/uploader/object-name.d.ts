// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Makes a name that the contract allows from a file name. Drops the extension (the server adds it), strips accents and
 * replaces other characters with `-`. If anything was changed or cut, a short checksum of the full file name is
 * appended. So two different files do not replace each other, and one file always gets the same name.
 *
 * @see openapi/schemas/ObjectName.yaml
 */
export declare function objectName(filename: string): string;
/** The destination of a file. */
export interface ObjectPlace {
    /** Absent without a prefix. */
    readonly prefix?: string;
    readonly name: string;
}
/**
 * Returns the prefix and the name for a file in a folder, such as `Holiday/2026/beach.jpg`. The folders extend the
 * prefix as far as the contract allows. The other folders become part of the name, or all of them with `isFlat`. So no
 * two files of a folder get the same destination.
 *
 * @param prefix the destination of the folder
 */
export declare function objectPlace(path: string, prefix?: string, isFlat?: boolean): ObjectPlace;
