// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Returns a canvas for the preview of an image. It stays hidden until the image is drawn, and screen readers ignore it.
 */
export declare function pictureOf(file: File, isWanted: () => boolean): HTMLCanvasElement;
