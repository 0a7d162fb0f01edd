// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Canvas size in pixels. It is displayed at half that size. */
const edge = 80;
/** Decoding needs memory for every pixel, however small the result. */
const mostBytes = 50 * 1_048_576;
let last = Promise.resolve();
/**
 * Returns a canvas for the preview of an image. It stays hidden until the image is drawn, and screen readers ignore it.
 */
export function pictureOf(file, isWanted) {
    const canvas = document.createElement('canvas');
    canvas.className = 'picture';
    canvas.setAttribute('part', 'picture');
    canvas.setAttribute('aria-hidden', 'true');
    canvas.width = canvas.height = edge;
    canvas.hidden = true;
    const isImage = file.type.startsWith('image/') && file.type !== 'image/svg+xml' && file.size <= mostBytes;
    // One at a time: a hundred photos at once would fill the memory.
    if (isImage && typeof createImageBitmap === 'function')
        last = last.then(() => (isWanted() ? draw(file, canvas) : undefined)).catch(() => { });
    return canvas;
}
/**
 * Draws the image through a small bitmap that the browser decodes in the background. This needs no object URL, so
 * nothing has to be revoked and no policy blocks it.
 */
async function draw(file, canvas) {
    const bitmap = await createImageBitmap(file, { resizeHeight: edge, resizeQuality: 'medium' });
    const side = Math.min(bitmap.width, bitmap.height);
    canvas
        .getContext('2d')
        ?.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, edge, edge);
    bitmap.close();
    canvas.hidden = false;
}
