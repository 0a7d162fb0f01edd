import { encodeKey } from '#test/s3/signed-request.ts';
import type { Body, Draft, FuzzRequest, Part } from '../draft.ts';

const boundary = '----cubby-fuzz-7f3a';

/** Writes a draft as it goes over the wire. */
export function compose(draft: Draft): FuzzRequest {
  const { operation, door, method, signing, broken, isChunked, fault } = draft;
  const body = draft.body && bytesOf(draft.body);
  const headers: Array<readonly [string, string]> = [...draft.headers];
  const type = draft.body && typeOf(draft.body);
  if (type !== undefined && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
    headers.push(['Content-Type', type]);
  if (draft.credential !== undefined) headers.push(['Authorization', draft.credential]);
  return {
    operation,
    door,
    method,
    target: targetOf(draft),
    headers: headers.map(([name, value]) => [asBytes(name), asBytes(value).replaceAll(/[\r\n\0]/g, ' ')]),
    ...(body !== undefined && { body: body.toString('latin1') }),
    ...(isChunked && { isChunked }),
    ...(signing && { signing }),
    ...(fault && { fault }),
    ...(broken !== undefined && { broken }),
  };
}

function targetOf({ path, pathValues, query, rawQuery, door }: Draft): string {
  const encode = door === 's3' ? encodeKey : percent;
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = pathValues[name];
    return value === undefined ? whole : encode(value.toWellFormed());
  });
  const search = query.map(([name, value]) => `${percent(name)}=${percent(value)}`);
  if (rawQuery !== undefined) search.push(rawQuery);
  return asBytes(search.length === 0 ? filled : `${filled}?${search.join('&')}`).replaceAll(/[\r\n\0 ]/g, '_');
}

/** Percent-encodes a text. A lone surrogate becomes the three bytes that no decoder accepts. */
export function percent(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  return [...text].map((sign) => (sign.isWellFormed() ? encodeURIComponent(sign) : '%ED%A0%80')).join('');
}

/** Returns UTF-8 with one character for each byte. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function typeOf(body: Body): string | undefined {
  switch (body.kind) {
    case 'json':
      return 'application/json';
    case 'form':
      return 'application/x-www-form-urlencoded';
    case 'multipart':
      return `multipart/form-data; boundary=${boundary}`;
    case 'bytes':
      return body.type;
  }
}

/** Returns the bytes of a body. */
export function bytesOf(body: Body): Buffer {
  switch (body.kind) {
    case 'json':
      return Buffer.from(JSON.stringify(body.value) ?? '');
    case 'form':
      return Buffer.from(body.fields.map(([name, value]) => `${percent(name)}=${percent(value)}`).join('&'));
    case 'multipart':
      return Buffer.concat([...body.parts.flatMap(partBytes), Buffer.from(`--${boundary}--\r\n`)]);
    case 'bytes':
      return body.bytes;
  }
}

function partBytes({ name, filename, type, content }: Part): Buffer[] {
  const file = filename === undefined ? '' : `; filename="${filename.replaceAll('"', '%22')}"`;
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; ` +
    `name="${name}"${file}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`;
  return [Buffer.from(head), content, Buffer.from('\r\n')];
}
