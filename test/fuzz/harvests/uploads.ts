import type { Exchanged } from '../exchanged.ts';
import { bodyOf, noteObject, sent, type Harvest } from './note.ts';

const credentialOf = ({ request }: Exchanged) =>
  request.headers.find(([name]) => name === 'Authorization')?.[1].replace(/^Bearer /, '');

const uploadOf = ({ request }: Exchanged) => new URLSearchParams(request.target.split('?')[1]).get('upload') ?? '';

/** Ends an upload that was completed or aborted. */
const endUpload: Harvest = (world, exchanged) => {
  const { upload } = bodyOf(exchanged);
  world.pool.remove('upload', upload);
  world.uploads.delete(upload);
};

/** The `upload` string in the path. */
const serialOf = ({ request }: Exchanged) => request.target.split('?', 1)[0]!.split('/').at(-1)!;

const endSerial: Harvest = (world, exchanged) => {
  world.pool.remove('serialUpload', serialOf(exchanged));
  world.uploads.delete(serialOf(exchanged));
};

/** Remembers how far an upload of serial bytes is, until its file exists. */
const noteOffset: Harvest = (world, exchanged) => {
  const { headers } = exchanged.answer;
  if (headers['x-cubby-object'] !== undefined) return endSerial(world, exchanged);
  const upload = world.uploads.get(serialOf(exchanged));
  if (upload) upload.bytes = Number(headers['upload-offset'] ?? upload.bytes);
};

export const uploads: Readonly<Record<string, Harvest>> = {
  startChunkedUpload: (world, exchanged) => {
    const { upload } = exchanged.json.response;
    const size = Number(new URLSearchParams(exchanged.request.target.split('?')[1]).get('size')) || undefined;
    world.pool.add('upload', upload);
    world.uploads.set(upload, { size, credential: credentialOf(exchanged), parts: new Map(), bytes: 0 });
  },
  putChunkedPart: (world, exchanged) => {
    const { part, etag } = exchanged.json.response;
    world.uploads.get(uploadOf(exchanged))?.parts.set(part, etag);
  },
  completeChunkedUpload: (world, exchanged) => {
    noteObject(world, exchanged.json.response);
    endUpload(world, exchanged);
  },
  abortChunkedUpload: endUpload,
  startUpload: (world, exchanged) => {
    const upload = exchanged.answer.headers.location?.split('/').at(-1);
    if (upload === undefined) return;
    const size = Number(sent(exchanged, 'Upload-Length')) || undefined;
    world.pool.add('serialUpload', upload);
    world.uploads.set(upload, { size, credential: credentialOf(exchanged), parts: new Map(), bytes: 0 });
  },
  putUploadBytes: noteOffset,
  getUpload: noteOffset,
  deleteUpload: endSerial,
};
