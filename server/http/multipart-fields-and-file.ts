import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import busboy from 'busboy';

import { BodyCutOff, bodyChunks } from './body-chunks.ts';
import { BodyError } from './body-error.ts';
import type { BodyHold } from './body-memory.ts';
import { watchPace } from './body-pace.ts';
import { MultipartError } from './multipart-error.ts';
import { boundaryOf, decodeFilename } from './multipart-head.ts';

/**
 * A form whose fields come before its one file, in the field `file`: a POST form of S3. The form of the REST API has no
 * fields and is read by multipart-only-file.ts, which is faster and stricter.
 */
interface MultipartForm {
  /** By name in lower case. If a name appears twice, the last value wins. */
  readonly fields: ReadonlyMap<string, string>;
  readonly file: {
    /** As sent by the client; empty if it sent none. */
    readonly filename: string;
    /** Undefined if the client sent none. */
    readonly mimeType: string | undefined;
    /** The content. It fails with a `MultipartError` if the body is cut off. */
    readonly bytes: Readable;
  };
}

interface FormLimits {
  readonly maxFields: number;
  readonly maxFieldBytes: number;
  /** All fields together, names and values. They are in memory before the caller is authenticated. */
  readonly maxFieldsBytes: number;
  /** Counts what is read up to the file. */
  readonly hold: BodyHold;
}

/**
 * Reads a `multipart/form-data` request up to its file. Parts after the file are ignored.
 *
 * @throws {MultipartError} if there is no file, or the fields before it are too large or malformed
 * @throws {BodyError} `no-memory`
 */
export async function openMultipartForm(
  req: IncomingMessage,
  { maxFields, maxFieldBytes, maxFieldsBytes, hold }: FormLimits,
): Promise<MultipartForm> {
  boundaryOf(req);
  return new Promise((resolve, reject) => {
    const parser = parserOf(req, { files: 1, fields: maxFields, fieldSize: maxFieldBytes });
    const fields = new Map<string, string>();
    let fieldsBytes = 0;
    let opened: Readable | undefined;
    const endWatch = watchPace(req, hold.slowest);
    const fail = (error: Error): void => {
      endWatch();
      reject(error);
      opened?.destroy(error);
    };
    // A part may have no name, which busboy's types do not show.
    parser.on('field', (name: string | undefined, value, { valueTruncated }) => {
      if (name === undefined) return fail(new MultipartError('malformed'));
      fieldsBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
      if (valueTruncated || fieldsBytes > maxFieldsBytes) return fail(new MultipartError('fields-too-large'));
      if (!opened) fields.set(name.toLowerCase(), value);
    });
    parser.on('fieldsLimit', () => fail(new MultipartError('malformed')));
    parser.on('file', (name, stream, { filename, mimeType }) => {
      opened = stream;
      endWatch();
      hold.complete();
      // Its reader sees the error. A form that was rejected before has no reader.
      stream.on('error', () => {});
      if (name?.toLowerCase() !== 'file') return fail(new MultipartError('no-file'));
      resolve({
        fields,
        file: { filename: decodeFilename(filename) ?? '', mimeType: mimeType || undefined, bytes: stream },
      });
    });
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of bodyChunks(req)) {
        if (!opened) hold.take(chunk.length);
        yield chunk;
      }
    }
    pipeline(counted(), parser).then(
      () => fail(new MultipartError('no-file')),
      (cause: unknown) =>
        fail(
          cause instanceof BodyError
            ? cause
            : new MultipartError(cause instanceof BodyCutOff ? 'cut-off' : 'malformed', { cause }),
        ),
    );
  });
}

/** @throws {MultipartError} for a malformed Content-Type with a boundary */
function parserOf({ headers }: IncomingMessage, limits: busboy.Limits): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits });
  } catch (cause) {
    throw new MultipartError('malformed', { cause });
  }
}
