// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** A file with its path in the chosen or dropped folder: `Holiday/2026/beach.jpg`. A single file's path is its name. */
export interface Found {
    readonly file: File;
    readonly path: string;
}
/** The contents of a drop, a paste or a dialog. */
export interface Brought {
    readonly files: readonly Found[];
    readonly folders: readonly FileSystemDirectoryEntry[];
}
/** One batch of a folder: the files, and the paths that were skipped. */
export interface FolderPiece {
    readonly files: readonly Found[];
    readonly hidden: readonly string[];
    readonly unreadable: readonly string[];
}
/** Returns whether people normally do not see this file or folder, and so do not mean to upload it. */
export declare function isHidden(name: string): boolean;
/** Reads a drop or paste. Call it while the event runs: the entries are gone afterwards. */
export declare function broughtBy(transfer: DataTransfer): Brought;
/** Adds the path to a file. The files of a chosen folder carry their paths. */
export declare function withPath(file: File): Found;
/** Reads a folder recursively, batch by batch, so that the page stays responsive. Skips hidden folders. */
export declare function walkFolder(folder: FileSystemDirectoryEntry, showHidden: boolean, path?: string): AsyncGenerator<FolderPiece>;
