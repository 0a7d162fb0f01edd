/** The boundary of all bodies. */
export const boundary = 'XXcubbyXX';

export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** The head of the file's part, up to its first byte. */
export function fileHead({
  disposition = 'form-data; name="file"; filename="photo.png"',
  type = 'image/png',
}: { disposition?: string; type?: string | null } = {}): string {
  return (
    `--${boundary}\r\nContent-Disposition: ` +
    `${disposition}\r\n${type === null ? '' : `Content-Type: ${type}\r\n`}\r\n`
  );
}

export const closing = `\r\n--${boundary}--\r\n`;

/** A body with one file. */
export function multipart(bytes: Uint8Array, head = fileHead()): Buffer {
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(closing)]);
}

/** The smallest accepted file. */
export const smallest = Buffer.alloc(512, 'a');
