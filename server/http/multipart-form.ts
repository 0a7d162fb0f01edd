import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import busboy from 'busboy';

import { BodyCutOff, bodyChunks } from './body-chunks.ts';
import { MultipartError } from './multipart-error.ts';
import { boundaryOf, decodeFilename } from './multipart-head.ts';

/** A form whose fields come before its one file, which is the field `file`. */
export interface MultipartForm {
  /** Each with its last value, names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  readonly file: {
    /** As the client sent it; empty where it sent none. */
    readonly filename: string;
    /** Undefined when the client does not say. */
    readonly mimeType: string | undefined;
    /** The content; it fails with a `MultipartError` when the body is cut off. */
    readonly bytes: Readable;
  };
}

export interface FormLimits {
  readonly maxFields: number;
  readonly maxFieldBytes: number;
  /** Of all fields together, names and values: they are kept in memory before anybody has asked who sends them. */
  readonly maxFieldsBytes: number;
}

/**
 * Opens a `multipart/form-data` request up to its file. What comes behind the file is ignored.
 *
 * @throws {MultipartError} when there is no file, or what stands before it is too much or malformed
 */
export async function openMultipartForm(
  req: IncomingMessage,
  { maxFields, maxFieldBytes, maxFieldsBytes }: FormLimits,
): Promise<MultipartForm> {
  boundaryOf(req);
  return new Promise((resolve, reject) => {
    const parser = parserOf(req, { files: 1, fields: maxFields, fieldSize: maxFieldBytes });
    const fields = new Map<string, string>();
    let fieldsBytes = 0;
    let opened: Readable | undefined;
    const fail = (error: Error): void => {
      reject(error);
      opened?.destroy(error);
    };
    // Busboy's types do not say that a part may have no name.
    parser.on('field', (name: string | undefined, value, { valueTruncated }) => {
      if (name === undefined) return fail(new MultipartError('malformed'));
      fieldsBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
      if (valueTruncated || fieldsBytes > maxFieldsBytes) return fail(new MultipartError('fields-too-large'));
      if (!opened) fields.set(name.toLowerCase(), value);
    });
    parser.on('fieldsLimit', () => fail(new MultipartError('malformed')));
    parser.on('file', (name, stream, { filename, mimeType }) => {
      opened = stream;
      // Whoever reads it sees its error; a form that was refused before has no reader.
      stream.on('error', () => {});
      if (name?.toLowerCase() !== 'file') return fail(new MultipartError('no-file'));
      resolve({
        fields,
        file: { filename: decodeFilename(filename) ?? '', mimeType: mimeType || undefined, bytes: stream },
      });
    });
    parser.on('error', () => fail(new MultipartError('malformed')));
    parser.on('close', () => reject(new MultipartError('no-file')));
    void feed(req, parser, fail);
  });
}

/** @throws {MultipartError} for a Content-Type that names a boundary and is malformed all the same */
function parserOf({ headers }: IncomingMessage, limits: busboy.Limits): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits });
  } catch (cause) {
    throw new MultipartError('malformed', { cause });
  }
}

/** Until more may be written, or nothing will be read any more. */
function drained(parser: busboy.Busboy): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      parser.off('drain', done).off('close', done);
      resolve();
    };
    parser.on('drain', done).on('close', done);
  });
}

async function feed(req: IncomingMessage, parser: busboy.Busboy, fail: (error: Error) => void): Promise<void> {
  try {
    for await (const chunk of bodyChunks(req)) {
      if (parser.destroyed) return;
      if (!parser.write(chunk)) await drained(parser);
    }
    parser.end();
  } catch (cause) {
    fail(cause instanceof BodyCutOff ? new MultipartError('cut-off', { cause }) : (cause as Error));
  }
}
