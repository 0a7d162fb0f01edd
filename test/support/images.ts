import sharp, { type Sharp } from 'sharp';

/** Returns a picture with many colours, so that no format compresses it to nothing. */
export function picture(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7 + Math.floor(at / width) * 13) % 256;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A photo that lies on its side, with its place and its camera. Upright it is 300 wide and 400 high. */
export function sidewaysPhoto(): Promise<Buffer> {
  return picture(400, 300)
    .jpeg()
    .withExif({ IFD0: { Make: 'Secret camera' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** A PNG of 30 kilobytes that has 900 megapixels. */
export function pixelBomb(): Promise<Buffer> {
  const [width, height] = [30_000, 30_000];
  return sharp({ create: { width, height, channels: 3, background: '#000' }, limitInputPixels: false })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toBuffer();
}

export const aboutImage = (bytes: Uint8Array) => sharp(bytes).metadata();
