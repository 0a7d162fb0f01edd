import { describe, expect, it } from 'vitest';

import { refuseRemainingBody } from '#server/http/linger.ts';
import { MAX_EPILOGUE_BYTES, openMultipartFile } from '#server/http/multipart-only-file.ts';
import { liveServer, rawClient } from './live-server.ts';
import { CLOSE, FILE_HEAD, TYPE, fileServer, submit } from './only-file-server.ts';

describe('openMultipartFile() reads one file', () => {
  it('with its name, type, exact length and bytes', async () => {
    expect(await submit(`${FILE_HEAD}hello${CLOSE}`)).toEqual({
      file: { filename: 'a.txt', mimeType: 'text/plain', estimatedBytes: 5 },
      content: 'hello',
    });
  });

  it('without knowing the length of a chunked body', async () => {
    const seen = await submit([FILE_HEAD, 'hel', 'lo', CLOSE], { chunked: true });
    expect(seen.file?.estimatedBytes).toBeUndefined();
    expect(seen).toMatchObject({ content: 'hello' });
  });

  it('as fetch sends it', async () => {
    await using server = await fileServer();
    const form = new FormData();
    form.set('file', new File(['x'.repeat(100_000)], 'größe "1".bin', { type: 'image/PNG' }));
    expect(await (await fetch(server.url, { method: 'POST', body: form })).text()).toBe('ok');
    expect(server.seen[0]?.file).toMatchObject({ mimeType: 'image/png', estimatedBytes: 100_000 });
    expect(server.seen[0]?.file?.filename).toBe('größe "1".bin');
  });

  it.each([
    ['no bytes', ''],
    ['only a line end', '\r\n'],
    ['line ends at its end', 'a\r\n\r\n'],
    ['beginnings of the delimiter', '\r\n--X\r\n--\r\n-\r\r\n--x\r\n-XX'],
    ['the boundary inside of a line', 'a--XX--\n--XX\n'],
    ['a CR at its end', 'abc\r'],
  ])('that holds %s', async (_what, content) => {
    expect(await submit(`${FILE_HEAD}${content}${CLOSE}`)).toMatchObject({
      file: { estimatedBytes: content.length },
      content,
    });
  });

  it('with a preamble, blanks after the delimiters, and no last line end', async () => {
    const body = `ignore me\r\n${FILE_HEAD.replace('--XX', '--XX \t')}hello\r\n--XX--`;
    const seen = await submit(body);
    expect(seen).toMatchObject({ content: 'hello' });
    expect(seen.file?.estimatedBytes).toBe(5 - 2);
  });

  it.each([
    ['text', 'This is the epilogue. It is also to be ignored.'],
    ['lines that begin like the boundary', '--X\r\n--x\r\n-XX'],
    ['blanks', ' \t\r\n \r\n'],
    ['16 KiB', 'x'.repeat(MAX_EPILOGUE_BYTES - 2)],
  ])('followed by an epilogue: %s', async (_what, epilogue) => {
    for (const chunked of [false, true]) {
      const seen = await submit(`${FILE_HEAD}hello${CLOSE}${epilogue}`, { chunked });
      expect(seen).toMatchObject({ content: 'hello' });
      if (!chunked) expect(seen.file?.estimatedBytes).toBe(5 + epilogue.length);
    }
  });

  it.each([['multipart/form-data; boundary="XX"'], ['Multipart/Form-Data; charset=utf-8; BOUNDARY=XX']])(
    'of the type %s',
    async (type) => {
      expect(await submit(`${FILE_HEAD}hello${CLOSE}`, { type })).toMatchObject({ content: 'hello' });
    },
  );

  it('with blanks and colons in its boundary', async () => {
    const body = `${FILE_HEAD}hello${CLOSE}`.replaceAll('XX', "a b:'c=d");
    expect(await submit(body, { type: `multipart/form-data; boundary="a b:'c=d"` })).toMatchObject({
      content: 'hello',
    });
  });

  it.each([
    ['filename="日本.txt"', '日本.txt', 'in UTF-8'],
    [`filename*=UTF-8''na%C3%AFve.txt`, 'naïve.txt', 'the extended parameter'],
    [`filename="x.txt"; filename*=UTF-8''y.txt`, 'y.txt', 'both: the extended one'],
    ['filename="C:\\\\dir\\\\a.txt"', 'a.txt', 'with a path'],
    ['filename="../../etc/passwd"', 'passwd', 'with a path upwards'],
    ['filename=plain.txt', 'plain.txt', 'without quotes'],
    ['filename="a%22b%22.txt"', 'a"b".txt', 'with quotation marks, as browsers send them'],
    ['filename="a%0D%0Ab.txt"', 'a\r\nb.txt', 'with a line end, as browsers send it'],
    ['filename="a%20b%0a%2F%25.txt"', 'a%20b%0a%2F%25.txt', 'with escapes that no browser sends'],
    ['filename="100%.txt"', '100%.txt', 'with a percent sign'],
    ['filename="the filename*=%22.txt"', 'the filename*=".txt', 'with the name of the extended parameter in it'],
    [`filename*=UTF-8''a%2522b.txt`, 'a%22b.txt', 'extended, with an escape in the name'],
  ])('named by %s → %s: %s', async (parameter, filename) => {
    const head = FILE_HEAD.replace('filename="a.txt"', parameter);
    expect(await submit(`${head}hello${CLOSE}`)).toMatchObject({ file: { filename }, content: 'hello' });
  });

  it('that arrives one byte at a time', async () => {
    await using server = await fileServer();
    const client = await rawClient(server.port);
    const body = `${FILE_HEAD}a\r\n--X\r\nb${CLOSE}`;
    const head =
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${TYPE}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`;
    client.socket.write(head);
    for (const byte of body) {
      client.socket.write(byte);
      await new Promise(setImmediate);
    }
    await client.closed();
    expect(server.seen[0]).toMatchObject({ file: { estimatedBytes: 9 }, content: 'a\r\n--X\r\nb' });
  });

  it('that arrives in two packets, cut at every place', async () => {
    await using server = await fileServer();
    const body = `${FILE_HEAD}a\r\n--X\r\nb${CLOSE}`;
    for (let at = 1; at < body.length; at += 1) {
      const client = await rawClient(server.port);
      // Chunked, so that the reader gets two pieces even if the network joins them.
      const [one, two] = [body.slice(0, at), body.slice(at)];
      client.socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${TYPE}\r\n` +
          'Transfer-Encoding: chunked\r\n\r\n' +
          `${one.length.toString(16)}\r\n${one}\r\n${two.length.toString(16)}\r\n${two}\r\n0\r\n\r\n`,
      );
      await client.closed();
      expect(server.seen.at(-1), `cut at ${at}`).toMatchObject({ content: 'a\r\n--X\r\nb' });
    }
  });
});

describe('openMultipartFile() rejects before the content is read', () => {
  it.each([
    ['not-multipart', '', 'application/json'],
    ['not-multipart', '', 'multipart/mixed; boundary=XX'],
    ['not-multipart', '', 'multipart/form-data'],
    ['not-multipart', '', 'multipart/form-data; boundary='],
    ['not-multipart', '', `multipart/form-data; boundary=${'x'.repeat(71)}`],
    ['not-multipart', '', 'nonsense'],
    ['no-file', '', TYPE],
    ['no-file', '--XX--\r\n', TYPE],
    ['no-file', `${FILE_HEAD.replace('name="file"', 'name="other"')}hello${CLOSE}`, TYPE],
    ['no-file', `--XX\r\nContent-Disposition: form-data; name="other"\r\n\r\nv${CLOSE}`, TYPE],
    ['no-file', `--XX\r\nContent-Disposition: form-data; name="other"\r\n\r\nv\r\n${FILE_HEAD}hello${CLOSE}`, TYPE],
    ['no-filename', `--XX\r\nContent-Disposition: form-data; name="file"\r\n\r\nv${CLOSE}`, TYPE],
    ['no-filename', `--XX\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\nv${CLOSE}`, TYPE],
    ['no-filename', `--XX\r\nContent-Disposition: form-data; name="file"; filename="a/"\r\n\r\nv${CLOSE}`, TYPE],
    [
      'no-filename',
      `--XX\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream\r\n\r\nv${CLOSE}`,
      TYPE,
    ],
    ['malformed', `--XX\r\nContent-Type: text/plain\r\n\r\nv${CLOSE}`, TYPE],
    ['malformed', `--XX\r\nContent-Disposition: attachment; name="file"; filename="a"\r\n\r\nv${CLOSE}`, TYPE],
    ['malformed', `--XX\r\n\r\nv${CLOSE}`, TYPE],
    ['malformed', `--XX\r\nno colon\r\n\r\nv${CLOSE}`, TYPE],
    ['malformed', `--XXX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nv${CLOSE}`, TYPE],
    ['malformed', `${'x'.repeat(20_000)}\r\n${FILE_HEAD}hello${CLOSE}`, TYPE],
    ['malformed', `--XX\r\n${'X-A: b\r\n'.repeat(3000)}\r\nv${CLOSE}`, TYPE],
    ['malformed', FILE_HEAD.replace('a.txt', 'a'.repeat(20_000)), TYPE],
    ['cut-off', 'hello', TYPE],
    ['cut-off', FILE_HEAD.slice(0, -2), TYPE],
  ])('with %s: %#: %.60s', async (reason, body, type) => {
    const seen = await submit(body, { type });
    expect(seen.refused).toEqual({ reason, by: 'open' });
  });

  it('with malformed: a compressed body', async () => {
    const seen = await submit(`${FILE_HEAD}hello${CLOSE}`, { headers: { 'Content-Encoding': 'gzip' } });
    expect(seen.refused).toEqual({ reason: 'malformed', by: 'open' });
  });

  it('and keeps the connection usable when no more bytes follow', async () => {
    await using server = await liveServer(async (req, res) => {
      await openMultipartFile(req, { fieldName: 'file' }).catch(() => {});
      refuseRemainingBody(req, res);
      res.end('refused');
    });
    const client = await rawClient(server.port);
    const wrong = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: 0\r\n\r\n`;
    client.socket.write(wrong);
    await client.until('refused');
    client.socket.write(wrong.replace('Host', 'Connection: close\r\nHost'));
    expect((await client.closed()).match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
  });

  it('or opens the file, so that a caller can refuse it by name and length with megabytes unread', async () => {
    let readBytes = 0;
    await using server = await liveServer(async (req, res) => {
      const file = await openMultipartFile(req, { fieldName: 'file' });
      file.abandon();
      expect(file.estimatedBytes).toBe(50_000_000);
      readBytes = req.socket.bytesRead;
      refuseRemainingBody(req, res);
      res.writeHead(413).end('too large');
    });
    const body = Buffer.concat([Buffer.from(FILE_HEAD), Buffer.alloc(50_000_000), Buffer.from(CLOSE)]);
    const client = await rawClient(server.port);
    client.socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    client.socket.write(body);
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 413 .*too large/s);
    expect(readBytes).toBeLessThan(1_000_000);
  });
});

describe('openMultipartFile() refuses a part with duplicate parameters or headers:', () => {
  const head = (disposition: string, more = '') => `--XX\r\nContent-Disposition: ${disposition}\r\n${more}\r\n`;

  it.each([
    ['two filenames', head('form-data; name="file"; filename="a.png"; filename="b.exe"')],
    ['two filenames of different case', head('form-data; name="file"; filename="a.png"; FileName=b.exe')],
    ['two extended filenames', head(`form-data; name="file"; filename*=UTF-8''a.png; filename*=UTF-8''b.exe`)],
    ['two names', head('form-data; name="other"; name="file"; filename="a.png"')],
    ['two filenames in folded lines', head('form-data; name="file"; filename="a.png";\r\n\tfilename="b.exe"')],
    [
      'two dispositions',
      head(
        'form-data; name="file"; filename="a.png"',
        'content-disposition: form-data; name="file"; filename="b.exe"\r\n',
      ),
    ],
    [
      'two types',
      head('form-data; name="file"; filename="a.png"', 'Content-Type: image/png\r\nContent-Type: text/html\r\n'),
    ],
  ])('%s', async (_what, bytes) => {
    expect((await submit(`${bytes}hello${CLOSE}`)).refused).toEqual({ reason: 'ambiguous', by: 'open' });
  });

  it.each([
    ['an extended filename beside the plain one', `form-data; name="file"; filename="x.png"; filename*=UTF-8''a.png`],
    ['a filename that holds a parameter', 'form-data; name="file"; filename="a; filename=b.png"'],
    ['a filename that holds a quoted parameter', 'form-data; name="file"; filename="a\\"; filename=\\"b.png"'],
  ])('but accepts %s', async (_what, disposition) => {
    expect(await submit(`${head(disposition)}hello${CLOSE}`)).toMatchObject({ content: 'hello' });
  });
});

describe('openMultipartFile() fails the content, after its bytes, when', () => {
  it.each([
    ['too-many-parts', `${FILE_HEAD}hello\r\n${FILE_HEAD}again${CLOSE}`, 'a second file follows'],
    [
      'too-many-parts',
      `${FILE_HEAD}hello\r\n--XX\r\nContent-Disposition: form-data; name="x"\r\n\r\nv${CLOSE}`,
      'a field follows',
    ],
    ['too-many-parts', `${FILE_HEAD}hello\r\n--XX \r\n`, 'another part begins, after blanks'],
    ['malformed', `${FILE_HEAD}hello\r\n--XXX more of the file${CLOSE}`, 'a line of it begins like the boundary'],
    ['malformed', `${FILE_HEAD}hello\r\n--XX-X${CLOSE}`, 'a line of it begins like the boundary and a dash'],
    ['malformed', `${FILE_HEAD}hello\r\n--XX-- epilogue`, 'the line of the end contains text'],
    ['malformed', `${FILE_HEAD}hello${CLOSE}more of it${CLOSE}`, 'the end comes twice'],
    [
      'malformed',
      `${FILE_HEAD}hello${CLOSE}${'x'.repeat(10_000)}\r\n--XX\r\n`,
      'a delimiter follows far behind the end',
    ],
    ['malformed', `${FILE_HEAD}hello${CLOSE}${FILE_HEAD}again${CLOSE}`, 'a second form follows the end'],
    [
      'malformed',
      `${FILE_HEAD}hello${CLOSE}${'\r\n'.repeat(MAX_EPILOGUE_BYTES / 2)}`,
      'more than 16 KiB follow the end',
    ],
    ['cut-off', `${FILE_HEAD}hello`, 'the closing delimiter is missing'],
    ['cut-off', FILE_HEAD, 'all content is missing'],
    ['cut-off', `${FILE_HEAD}hello\r\n--X`, 'half of the delimiter is missing'],
    ['cut-off', `${FILE_HEAD}hello\r\n--XX`, 'the dashes are missing'],
    ['cut-off', `${FILE_HEAD}hello\r\n--XX-`, 'the last dash is missing'],
  ])('%s: %#, %j: %s', async (reason, body) => {
    for (const chunked of [false, true]) {
      const seen = await submit(body, { chunked });
      expect(seen).toMatchObject({ refused: { reason, by: 'content' } });
      expect(seen.content).toBeUndefined();
    }
  });
});
