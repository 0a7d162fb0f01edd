/** Bytes that have a meaning in a request. */
const telling = Buffer.from('\r\n :;,=&?/%+.*"<>-_0aAZ~\0\t\x7f\xff', 'latin1');

/**
 * Changes a request somewhere. Its version and its `connection: close` stay, so that the response ends. With
 * `keepsBody` everything after the head stays too.
 */
export function mutate(bytes: Buffer, random: () => number, { keepsBody }: { readonly keepsBody: boolean }): Buffer {
  const versionAt = bytes.indexOf(' HTTP/1.1\r\n');
  const headersAt = bytes.indexOf('\r\n', bytes.indexOf('connection: close')) + 2;
  const bodyAt = bytes.indexOf('\r\n\r\n') + 4;
  const parts: ReadonlyArray<readonly [from: number, to: number]> = [
    [0, versionAt],
    [headersAt, bodyAt - 4],
    ...(keepsBody || bodyAt === bytes.length ? [] : [[bodyAt, bytes.length] as const]),
  ];
  const [from, to] = parts[Math.floor(random() * parts.length)]!;
  const part =
    from === headersAt && random() < 0.3
      ? mutateLines(bytes.subarray(from, to), random)
      : mutateBytes(bytes.subarray(from, to), random);
  return Buffer.concat([bytes.subarray(0, from), part, bytes.subarray(to)]);
}

function mutateBytes(part: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * part.length);
  const byte = Buffer.from([
    random() < 0.5 ? telling[Math.floor(random() * telling.length)]! : Math.floor(random() * 256),
  ]);
  const [before, after] = [part.subarray(0, at), part.subarray(at + 1)];
  const length = 1 + Math.floor(random() * 12);
  switch (Math.floor(random() * 6)) {
    case 0:
      return Buffer.concat([before, byte, after]);
    case 1:
      return Buffer.concat([before, Buffer.from([part[at]! ^ (1 << Math.floor(random() * 8))]), after]);
    case 2:
      return Buffer.concat([before, byte, part.subarray(at)]);
    case 3:
      return Buffer.concat([before, part.subarray(at + length)]);
    case 4:
      return Buffer.concat([before, part.subarray(at, at + length), part.subarray(at)]);
    default:
      return Buffer.concat([before, after.subarray(0, 1), part.subarray(at, at + 1), after.subarray(1)]);
  }
}

/** Removes, repeats or moves a header, or adds one that would change the request's meaning. */
function mutateLines(part: Buffer, random: () => number): Buffer {
  const lines = part.toString('latin1').split('\r\n');
  const at = Math.floor(random() * lines.length);
  const [line = ''] = lines.splice(at, 1);
  const added = [
    'x-amz-meta-added: 1',
    'x-amz-acl: public-read',
    'x-amz-copy-source: /private/other',
    'x-amz-decoded-content-length: 3',
    'x-amz-content-sha256: UNSIGNED-PAYLOAD',
    'x-amz-date: 20200101T000000Z',
    'x-amz-security-token: t',
    'x-amz-metadata-directive: REPLACE',
  ];
  const choice = Math.floor(random() * 4);
  if (choice === 1) lines.push(line, line);
  else if (choice === 2) lines.splice(Math.floor(random() * (lines.length + 1)), 0, line);
  else if (choice === 3) lines.splice(at, 0, line, added[Math.floor(random() * added.length)]!);
  return Buffer.from(lines.join('\r\n'), 'latin1');
}
