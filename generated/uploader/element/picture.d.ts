// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** An empty canvas for the picture of a file. It is hidden until there is one, and says nothing to screen readers. */
export declare function pictureOf(file: File, isWanted: () => boolean): HTMLCanvasElement;
