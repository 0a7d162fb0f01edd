import { crc32, deflateSync } from 'node:zlib';

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

let bomb: Buffer | undefined;

/** Returns a PNG of some hundred kilobytes that has 900 megapixels, all of them black. */
export function pixelBomb(): Buffer {
  return (bomb ??= madeBomb());
}

/** An encoder would hold all pixels in full color, and take half a minute. One bit for each is enough. */
function madeBomb(): Buffer {
  const [width, height] = [30_000, 30_000];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  // A byte for the filter comes before each row.
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

/** @see https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(8 + body.length);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), 4 + body.length);
  return whole;
}

export const aboutImage = (bytes: Uint8Array) => sharp(bytes).metadata();
