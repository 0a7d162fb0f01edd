import { hash } from 'node:crypto';

import type { BlobIndex, IndexEntry } from './blob-index.ts';
import type { IndexDocument } from './generation.ts';
import { BackupRefused, type BackupTarget } from './target.ts';

const folder = 'index';

/** Lines of one document: a few megabytes, which are in memory at once. */
const mostLines = 20_000;

/** With more documents than this, the index is written anew, because most lines are outdated or documents are short. */
const mostDocuments = 64;

/** An entry as a line, or the id of a blob that the target does not have any more. */
type Line = readonly [blobId: string, sizeBytes: number, sha256: string, endedIn: string | null] | readonly [string];

/**
 * The documents from which the index of a target is read. Each line is the whole state of a blob, and the last one
 * counts. So new blobs cost only their own lines, however many the target has.
 */
export class IndexLog {
  readonly #target: BackupTarget;
  #documents: IndexDocument[];

  private constructor(target: BackupTarget, documents: IndexDocument[]) {
    this.#target = target;
    this.#documents = documents;
  }

  /**
   * Reads the documents into an index.
   *
   * @param required those that the newest generation needs
   * @throws {BackupRefused} if one of them is missing or damaged
   */
  static async read(target: BackupTarget, required: readonly IndexDocument[], index: BlobIndex): Promise<IndexLog> {
    const newest = required.at(-1)?.name ?? '';
    const documents: IndexDocument[] = [];
    for (const { name, sha256 } of required) {
      const bytes = await target.documents.read(`${folder}/${name}`);
      if (bytes === undefined || hash('sha256', bytes, 'hex') !== sha256)
        throw new BackupRefused(
          `The backup in ${target.address} is damaged: its document ${folder}/${name} is ` +
            `${bytes ? 'not the one that was written' : 'missing'}. Name another target, or bring that document back.`,
        );
      apply(bytes, index);
      documents.push({ name, sha256 });
    }
    // Written by a backup that was cut off. Its blobs are whole.
    for (const name of (await target.documents.names(folder)).filter((one) => one > newest)) {
      const bytes = await target.documents.read(`${folder}/${name}`);
      if (bytes === undefined) continue;
      apply(bytes, index);
      documents.push({ name, sha256: hash('sha256', bytes, 'hex') });
    }
    return new IndexLog(target, documents);
  }

  /** The documents that make up the index now. */
  get documents(): readonly IndexDocument[] {
    return this.#documents;
  }

  /** Writes entries that the index has. */
  async add(entries: readonly IndexEntry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += mostLines)
      await this.#write(entries.slice(at, at + mostLines).map(lineOf));
  }

  /** Notes that the target does not have these blobs any more, or is about to lose them. */
  async drop(blobIds: readonly string[]): Promise<void> {
    if (blobIds.length > 0) await this.#write(blobIds.map((blobId) => [blobId]));
  }

  /** Writes the index anew when it has too many documents. Call it before a generation is written. */
  async shorten(index: BlobIndex): Promise<void> {
    if (this.#documents.length <= mostDocuments) return;
    const before = this.#documents.length;
    for (let last = ''; ;) {
      const entries = index.entries(last, mostLines);
      if (entries.length === 0) break;
      await this.#write(entries.map(lineOf));
      last = entries.at(-1)!.blobId;
    }
    this.#documents = this.#documents.slice(before);
  }

  /** Removes documents that the index does not consist of any more. Call it after a generation was written. */
  async sweep(): Promise<void> {
    const needed = new Set(this.#documents.map(({ name }) => name));
    for (const name of await this.#target.documents.names(folder))
      if (!needed.has(name)) await this.#target.documents.delete(`${folder}/${name}`);
  }

  async #write(lines: readonly Line[]): Promise<void> {
    const last = this.#documents.at(-1)?.name ?? '0';
    const name = `${String(Number.parseInt(last, 10) + 1).padStart(10, '0')}.jsonl`;
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await this.#target.documents.write(`${folder}/${name}`, bytes);
    this.#documents.push({ name, sha256: hash('sha256', bytes, 'hex') });
  }
}

function lineOf({ blobId, sizeBytes, sha256, endedIn }: IndexEntry): Line {
  return [blobId, sizeBytes, sha256, endedIn];
}

function apply(bytes: Uint8Array, index: BlobIndex): void {
  for (const text of Buffer.from(bytes).toString().split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as Line;
    if (line.length === 1) index.drop([line[0]]);
    else index.add([{ blobId: line[0], sizeBytes: line[1], sha256: line[2], endedIn: line[3] }]);
  }
}
