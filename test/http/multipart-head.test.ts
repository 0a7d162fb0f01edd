import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parsePartHead, parsePlainHead } from '#server/http/multipart-head.ts';

/** Texts from pieces that mean something in the header fields of a part. */
const textOf = (...pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((all) => all.join(''));
const quotedText = textOf('a', 'B', '7', '.', ' ', '-', '_', '%22', '%', '/', '\\', '"', ';', '=', '*', "'", 'é', '\t');
const token = textOf('a', 'Z', '9', '-', '+', '.', '*', '~', '/', ' ', ';');

describe('parsePlainHead()', () => {
  it('reads the fields as most programs send them', () => {
    const fields = 'Content-Disposition: form-data; name="file"; filename="A photo (1).png"\r\n';
    expect(parsePlainHead(`${fields}Content-Type: image/PNG\r\n\r\n`)).toEqual({
      name: 'file',
      isFile: true,
      filename: 'A photo (1).png',
      mimeType: 'image/png',
    });
    expect(parsePlainHead(`${fields}\r\n`)?.mimeType).toBe('application/octet-stream');
  });

  it('reads what the full parser reads, or nothing', async () => {
    let plain = 0;
    const head = fc.record({
      name: fc.oneof(fc.constant('file'), quotedText),
      filename: fc.oneof(fc.constant('photo.png'), quotedText),
      type: fc.option(
        fc.oneof(
          fc.constantFrom('text/plain', 'image/png'),
          fc.tuple(token, token).map((both) => both.join('/')),
        ),
      ),
      disposition: fc.constantFrom('Content-Disposition', 'content-disposition'),
      form: fc.constantFrom('form-data', 'Form-Data', 'attachment'),
    });
    await fc.assert(
      fc.asyncProperty(head, async ({ name, filename, type, disposition, form }) => {
        const typeLine = type === null ? '' : `Content-Type: ${type}\r\n`;
        const fields = `${disposition}: ${form}; name="${name}"; filename="${filename}"\r\n${typeLine}\r\n`;
        const found = parsePlainHead(fields);
        if (!found) return;
        plain++;
        expect(found).toEqual(await parsePartHead(Buffer.from(fields, 'latin1')));
      }),
      { numRuns: 3000 },
    );
    expect(plain).toBeGreaterThan(100);
  });

  it.each(['..', '.', '.hidden', 'a/b', 'a\\b', 'a%22', 'ä', ''])(
    'leaves the filename %j to the full parser',
    (filename) => {
      expect(
        parsePlainHead(`Content-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`),
      ).toBeUndefined();
    },
  );
});
