import type { IncomingMessage } from 'node:http';

import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { filenameOf } from '#server/http/content-disposition.ts';
import type { RawQuery } from '#server/http/query.ts';
import { speaksTus } from '#server/http/upload-protocols.ts';
import { objectName } from '#uploader/object-name.ts';
import { parseUploadMetadata } from './upload-headers.ts';

/** The name of a partial upload, whose bytes get the name of another upload. */
const nameOfPartial = 'partial';

/**
 * Returns the query with the fields that an upload protocol sent in headers, so that they pass the same checks. A field
 * of the query wins. Other keys of the metadata are left out.
 *
 * @throws INVALID_UPLOAD_HEADER
 */
export function withUploadMetadata(policy: OperationPolicy, req: IncomingMessage, query: RawQuery): RawQuery {
  if (!policy.uploadMetadata) return query;
  const given = speaksTus(req) ? tusFields(req) : draftFields(req);
  const fields = new Map<string, readonly string[]>(query);
  const fill = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '' && !fields.has(name)) fields.set(name, [value]);
  };
  for (const name of Object.keys(policy.queryFields)) if (name !== 'name') fill(name, given.get(name));
  fill('name', nameOf(given, fields.get('filename')?.[0]));
  if (req.headers['upload-concat'] === 'partial') fill('name', nameOfPartial);
  return fields;
}

/** Clients of tus call the name and the type of the file by several keys. */
function tusFields(req: IncomingMessage): ReadonlyMap<string, string> {
  const text = [req.headers['upload-metadata'] ?? []].flat().join(',');
  const pairs = new Map(text.trim() === '' ? [] : parseUploadMetadata(text));
  const name = pairs.get('name');
  if (!pairs.has('filename') && name !== undefined && !isObjectName(name)) pairs.set('filename', name);
  const mimeType = pairs.get('filetype') ?? pairs.get('type');
  if (mimeType !== undefined && !pairs.has('mime_type')) pairs.set('mime_type', mimeType);
  return pairs;
}

function draftFields(req: IncomingMessage): ReadonlyMap<string, string> {
  const { 'content-type': mimeType, 'content-disposition': disposition } = req.headers;
  const filename = disposition && filenameOf(disposition);
  return new Map([
    ...(mimeType ? [['mime_type', mimeType] as const] : []),
    ...(filename ? [['filename', filename] as const] : []),
  ]);
}

/** Clients send the file's name as `name` too. Only another one was meant as the object's name. */
function nameOf(given: ReadonlyMap<string, string>, filename: string | undefined): string | undefined {
  const name = given.get('name');
  if (name !== undefined && name !== filename && isObjectName(name)) return name;
  return filename === undefined || filename === '' ? undefined : objectName(filename);
}

function isObjectName(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(text);
}
