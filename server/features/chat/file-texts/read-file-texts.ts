import type { Reach } from '#server/domain/access/requester.ts';
import { readContent, type ReadDeps } from '#server/domain/contents/read-content.ts';
import type { Content } from '#server/domain/contents/table.ts';
import { parseObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import { got, shownValue } from '#server/domain/error-value.ts';
import { BlobMissing, BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { coversKey } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findLive, type StoredObject } from '#server/features/files/object.ts';
import { servingOf } from '#server/features/files/serving.ts';
import { withContent } from '#server/features/files/with-content.ts';
import { decodeText, isPdf } from './decode-text.ts';
import { escapeEnds } from './escape-ends.ts';
import { requireFittingFiles } from './fitting-files.ts';
import { framedText } from './framed-text.ts';
import { maxFileTextBytes, type FileTexts, type NamedFile } from './named-files.ts';
import { isPdfByName, notText } from './not-text.ts';
import { PdfRefused, type PdfReader } from './pdf-reader.ts';
import { pdfRefusal } from './pdf-refusal.ts';

interface Deps extends ReadDeps {
  readonly metadata: Reads<'contents' | 'objects'>;
  readonly clock: Clock;
  readonly pdfs: PdfReader;
}

interface ReadFileTexts {
  readonly files: readonly NamedFile[];
  /** What the key of the request sees. */
  readonly reach: Reach;
  /** The context window. */
  readonly contextTokens: number;
  /** Counts bytes that are in memory until the request ends. @throws when there is no memory for them */
  keep(bytes: number): void;
  readonly signal: AbortSignal;
}

/** A file with its bytes, at the first place that names it. */
interface FoundFile extends NamedFile {
  readonly object: StoredObject;
  readonly content: Content;
}

interface ReadText {
  readonly text: string;
  /** Whether its size was not known before. */
  readonly isOfPdf: boolean;
}

/**
 * Reads the files that a request names, each once, and returns their texts. Their sizes are checked and counted before
 * a byte is read, and those of the texts of PDFs after. No download is counted or recorded, as for other reads of the
 * server's own.
 *
 * @throws file_not_found for an id of another service or account, and for a file that is missing, in the trash, expired
 *   or outside of the key's prefixes: all look the same, but for what never is an id
 * @throws context_length_exceeded, file_not_text, storage_unavailable, and the signal's reason
 */
export async function readFileTexts(deps: Deps, request: ReadFileTexts): Promise<FileTexts> {
  const { files, contextTokens, keep, signal } = request;
  const found = new Map<string, FoundFile>();
  for (const file of files) if (!found.has(file.id)) found.set(file.id, await findFile(deps, file, request));
  const placed = files.map((file) => ({ ...file, object: found.get(file.id)!.object }));
  let totalBytes = requireFittingFiles(placed, contextTokens);
  keep(totalBytes);
  const texts = new Map<string, string>();
  for (const [id, file] of found) {
    const { text, isOfPdf } = await readText(deps, file, signal);
    texts.set(id, await escapeEnds(text));
    if (!isOfPdf) continue;
    const sizeBytes = Buffer.byteLength(text);
    keep(sizeBytes);
    totalBytes += sizeBytes * files.filter((other) => other.id === id).length;
    if (totalBytes > maxFileTextBytes) throw pdfRefusal(file, 'too-long');
  }
  return {
    textOf({ id, title, context }) {
      const { filename: name } = servingOf(found.get(id)!.object);
      return framedText({ name, title, context, text: texts.get(id)! });
    },
  };
}

async function findFile(deps: Deps, file: NamedFile, { reach, signal }: ReadFileTexts): Promise<FoundFile> {
  signal.throwIfAborted();
  const missing = () =>
    new Refusal('file_not_found', {
      message:
        `${file.place} names the file ${shownValue(file.id)}, which does not exist, or which this key does not ` +
        'reach. GET /v1/objects lists your files with their ids.',
    });
  const address = addressOf(file, reach);
  if (!address) throw missing();
  const { metadata, clock } = deps;
  const found = await withContent(deps, async () => {
    const object = await findLive(metadata.read.objects, address, clock.now());
    if (!object) throw missing();
    return { object };
  });
  return { ...file, ...found };
}

/** The form of ids, of whatever account. */
const ids = /^(?:(?:pub|prv)\/)?[0-9]{18}\/[^]/;

/**
 * Returns undefined for an id that this key does not reach.
 *
 * @throws file_not_found for a text that never is an id
 */
function addressOf({ id, place }: NamedFile, { accountId, prefixes }: Reach): ObjectAddress | undefined {
  if (!ids.test(id))
    throw new Refusal('file_not_found', {
      message:
        `${place} must be the id of a file of your account, such as prv/${accountId}/notes.md. ` +
        `${got(id)} Ids of other services have no meaning here.`,
    });
  try {
    const address = parseObjectId(id, accountId);
    return prefixes === null || coversKey(prefixes, address.key) ? address : undefined;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function readText(deps: Deps, file: FoundFile, signal: AbortSignal): Promise<ReadText> {
  const { object, content } = file;
  try {
    if (isPdfByName(object)) {
      const text = await readPdf(deps, file, signal);
      if (text !== undefined) return { text, isOfPdf: true };
      if (content.sizeBytes > maxFileTextBytes) throw pdfRefusal(file, 'no-pdf');
    }
    const bytes = await readBytes(deps, content, signal);
    const isOfPdf = isPdf(bytes);
    const text = isOfPdf ? await readPdf(deps, file, signal) : decodeText(bytes);
    if (text === undefined) throw notText(file);
    return { text, isOfPdf };
  } catch (error) {
    // A file that was replaced or deleted meanwhile is looked up again by the next request.
    const isOfStore = error instanceof BlobMissing || error instanceof BlobStoreFailed;
    throw isOfStore ? new Refusal('storage_unavailable', { cause: error }) : error;
  }
}

/** Returns undefined if the file is no PDF. */
async function readPdf(deps: Deps, file: FoundFile, signal: AbortSignal): Promise<string | undefined> {
  const { content } = file;
  const source = { sizeBytes: content.sizeBytes, open: () => readContent(deps, content) };
  try {
    return await deps.pdfs.textOf(source, signal);
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error;
    if (error.reason === 'no-pdf') return undefined;
    throw pdfRefusal(file, error.reason);
  }
}

async function readBytes(deps: Deps, content: Content, signal: AbortSignal): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(content.sizeBytes);
  let sizeBytes = 0;
  const stream = await readContent(deps, content);
  const end = () => void stream.destroy(signal.reason);
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    for await (const chunk of stream) {
      bytes.set(chunk as Uint8Array, sizeBytes);
      sizeBytes += (chunk as Uint8Array).byteLength;
    }
  } finally {
    signal.removeEventListener('abort', end);
    stream.destroy();
  }
  return bytes.subarray(0, sizeBytes);
}
