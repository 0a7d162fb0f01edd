/** Pixels of the canvas; it is shown at half of that. */
const edge = 80;
/** Decoding takes memory for all of its pixels, however small the result. */
const mostBytes = 50 * 1_048_576;

let last: Promise<void> = Promise.resolve();

/** An empty canvas for the picture of a file. It is hidden until there is one, and says nothing to screen readers. */
export function pictureOf(file: File, isWanted: () => boolean): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'picture';
  canvas.setAttribute('part', 'picture');
  canvas.setAttribute('aria-hidden', 'true');
  canvas.width = canvas.height = edge;
  canvas.hidden = true;
  const isImage = file.type.startsWith('image/') && file.type !== 'image/svg+xml' && file.size <= mostBytes;
  // One after the other: a hundred photos at once would fill the memory.
  if (isImage && typeof createImageBitmap === 'function')
    last = last.then(() => (isWanted() ? draw(file, canvas) : undefined)).catch(() => {});
  return canvas;
}

/** The browser decodes beside the page and hands over a small bitmap. No address is made, so there is none to revoke, and no policy forbids it. */
async function draw(file: File, canvas: HTMLCanvasElement): Promise<void> {
  const bitmap = await createImageBitmap(file, { resizeHeight: edge, resizeQuality: 'medium' });
  const side = Math.min(bitmap.width, bitmap.height);
  canvas
    .getContext('2d')
    ?.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, edge, edge);
  bitmap.close();
  canvas.hidden = false;
}
