// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** A file with its path in the folder it came with: `Holiday/2026/beach.jpg`, or its name alone. */
export interface Found {
    readonly file: File;
    readonly path: string;
}
/** What a drop, a paste or a dialog brings. */
export interface Brought {
    readonly files: readonly Found[];
    readonly folders: readonly FileSystemDirectoryEntry[];
}
/** One piece of a folder: what was read, and the paths of what was not. */
export interface FolderPiece {
    readonly files: readonly Found[];
    readonly hidden: readonly string[];
    readonly unreadable: readonly string[];
}
/** Whether a file or folder is one that people do not see, and do not mean when they upload a folder. */
export declare function isHidden(name: string): boolean;
/** Has to be called while the event runs: the entries are gone afterwards. */
export declare function broughtBy(transfer: DataTransfer): Brought;
/** A chosen folder comes as a list of files that know their paths. */
export declare function withPath(file: File): Found;
/** Reads a folder with all that is below it, piece by piece, so that the page goes on meanwhile. Hidden folders are not looked into. */
export declare function walkFolder(folder: FileSystemDirectoryEntry, showHidden: boolean, path?: string): AsyncGenerator<FolderPiece>;
