import { advanceLog } from '#server/domain/edge-errors/advance-log.ts';
import { beginLog } from '#server/domain/edge-errors/begin-log.ts';
import { fingerprintBytes, type LogCheckpoint } from '#server/domain/edge-errors/log-checkpoint.ts';
import { normalisePath } from '#server/domain/edge-errors/normalise-path.ts';
import { Tally } from '#server/domain/edge-errors/tally.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { Failure } from '../operator.ts';
import { emptySummary, type FileSummary } from './file-summary.ts';
import { lastOf, sha256, type LogFile, type LogPosition } from './log-file.ts';
import { readLogLine, type LogFormat } from './log-formats.ts';

/** Into what, and how, all files of the command are counted. */
export interface CountingDeps {
  readonly metadata: Metadata;
  readonly appId: string;
  /** Guessed when left out. */
  readonly format: LogFormat | undefined;
  /** Runs a write, again while the database cannot be written; once when left out. */
  readonly persist?: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Bytes; proxies cut request lines and headers at far less. */
const maxLineBytes = 256 * 1024;

/** What one transaction stores: few enough kinds that a server beside it does not notice. */
const batchKinds = 1000;
const batchLines = 100_000;

const maxNamedBad = 5;
const newline = 0x0a;

/** Counts the lines of one file, and moves its checkpoint along with the counts. */
export class LogCounter {
  readonly summary: FileSummary;
  readonly #deps: CountingDeps;
  readonly #file: Pick<LogFile, 'path' | 'inode'>;
  readonly #tally = new Tally();
  /** Errors in the tally. */
  #errors = 0;
  #checkpoint: LogCheckpoint;
  /** Where whole lines have been read up to, stored or not. */
  #offset: number;
  #lines: number;
  /** The last bytes before that. */
  #tail: Buffer;
  /** The first bytes of the file, and the last ones that came, whether their line has ended or not. */
  #head: Buffer;
  #recent: Buffer;
  /** What came of a line whose end has not; of one that is too long, only its end. */
  #begun: Buffer = Buffer.alloc(0);
  #begunBytes = 0;
  /** Whether the line before was counted though its end had not come. */
  #isEndMissing: boolean;

  private constructor(
    deps: CountingDeps,
    file: LogFile,
    checkpoint: LogCheckpoint,
    { offset, lines, head, tail }: LogPosition,
    summary: FileSummary,
  ) {
    this.#deps = deps;
    this.#file = file;
    this.#checkpoint = checkpoint;
    this.#offset = offset;
    this.#lines = lines;
    this.#head = head;
    this.#tail = tail;
    this.#recent = tail;
    this.#isEndMissing = tail.length > 0 && tail.at(-1) !== newline;
    this.summary = summary;
  }

  /** Takes a file up where it was left, or at its beginning. */
  static async open(
    deps: CountingDeps,
    file: LogFile,
    summary: FileSummary = emptySummary(file.path),
  ): Promise<LogCounter> {
    const { persist = once } = deps;
    for (;;) {
      const seen = await deps.metadata.read.edgeLogs.listOf(deps.appId);
      const known = await file.positionAmong(seen);
      if (known) return new LogCounter(deps, file, known.checkpoint, known.position, summary);
      const begun = await persist(() =>
        beginLog(deps, { appId: deps.appId, path: file.path, inode: file.inode }, seen),
      );
      if (begun)
        return new LogCounter(
          deps,
          file,
          begun,
          { offset: 0, lines: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) },
          summary,
        );
    }
  }

  /** Where the next byte belongs. */
  get readOffset(): number {
    return this.#offset + this.#begunBytes;
  }

  /** The last bytes before {@link readOffset}: a file that holds others there has been begun anew. */
  get recent(): Buffer {
    return this.#recent;
  }

  /** Takes all that the file holds by now. When it cannot be read on, what came before is stored. */
  async takeFrom(file: Pick<LogFile, 'from'>, signal?: AbortSignal): Promise<void> {
    try {
      for await (const chunk of file.from(this.readOffset)) {
        await this.take(chunk);
        if (signal?.aborted) return;
      }
    } catch (error) {
      await this.store().catch(() => {});
      throw error;
    }
  }

  /** Takes what comes next in the file, line by line; stores between two lines when it is time. */
  async take(chunk: Buffer): Promise<void> {
    if (this.#head.length < fingerprintBytes)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, fingerprintBytes)]).subarray(0, fingerprintBytes);
    let lineStart = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, lineStart)) {
      this.#endLine(chunk.subarray(lineStart, end));
      this.#offset++;
      lineStart = end + 1;
      if (!this.#isFull) continue;
      this.#tail = lastOf(this.#recent, chunk.subarray(0, lineStart));
      await this.store();
    }
    if (lineStart > 0) this.#tail = lastOf(this.#recent, chunk.subarray(0, lineStart));
    this.#recent = lastOf(this.#recent, chunk);
    const rest = chunk.subarray(lineStart);
    this.#begunBytes += rest.length;
    this.#begun = this.#begunBytes > maxLineBytes ? Buffer.alloc(0) : Buffer.concat([this.#begun, rest]);
  }

  /** Takes the last line of a file, which has no end: one that nobody will write on, or that is whole already. */
  async end({ isFinal }: { readonly isFinal: boolean }): Promise<void> {
    if (this.#begunBytes > 0 && (isFinal || (this.#begunBytes <= maxLineBytes && isWhole(this.#begun)))) {
      this.#endLine(Buffer.alloc(0));
      this.#tail = this.#recent;
    }
    await this.store();
  }

  /** Stores counts and checkpoint together. @throws {Failure} when another command reads the same file */
  async store(): Promise<void> {
    if (this.#offset === this.#checkpoint.offset) return;
    const { path, inode } = this.#file;
    const to = {
      ...this.#checkpoint,
      path,
      inode,
      offset: this.#offset,
      lines: this.#lines,
      headSha256: sha256(this.#head.subarray(0, this.#offset)),
      tailSha256: sha256(this.#tail),
    };
    const { persist = once } = this.#deps;
    const moved = await persist(() => advanceLog(this.#deps, this.#checkpoint, to, this.#tally.counts()));
    if (!moved)
      throw new Failure(
        `Another edge-log import reads ${path} for this application. What this one has read meanwhile is not counted.`,
      );
    this.#checkpoint = moved;
    this.summary.errors += this.#errors;
    this.#errors = 0;
    this.#tally.clear();
  }

  get #isFull(): boolean {
    return this.#tally.size >= batchKinds || this.#lines - this.#checkpoint.lines >= batchLines;
  }

  /** @param rest what of the line has come since it was begun, without its end */
  #endLine(rest: Buffer): void {
    const bytes = this.#begunBytes + rest.length;
    const isOwnLine = !this.#isEndMissing || bytes > 0;
    this.#isEndMissing = false;
    if (!isOwnLine) return;
    this.#lines++;
    this.#offset += bytes;
    if (bytes > maxLineBytes) this.#noteBad(`it is longer than ${maxLineBytes / 1024} KiB`);
    else this.#count((this.#begunBytes === 0 ? rest : Buffer.concat([this.#begun, rest])).toString());
    this.summary.lines++;
    this.#begun = Buffer.alloc(0);
    this.#begunBytes = 0;
  }

  #count(text: string): void {
    if (text.trim() === '') return;
    // A byte order mark may come before the first line.
    const line = readLogLine(text.startsWith('\ufeff') ? text.slice(1) : text, this.#deps.format);
    if (line === 'fine') return;
    if ('bad' in line) return this.#noteBad(line.bad);
    const { target, ...error } = line.error;
    this.#errors++;
    this.#tally.add({ ...error, path: normalisePath(target) });
  }

  #noteBad(reason: string): void {
    this.summary.bad++;
    if (this.summary.first_bad.length < maxNamedBad) this.summary.first_bad.push({ line: this.#lines, reason });
  }
}

function once<T>(write: () => Promise<T>): Promise<T> {
  return write();
}

/** Whether the beginning of a line is all of it: a JSON object ends by itself. */
function isWhole(line: Buffer): boolean {
  if (line.at(-1) !== '}'.charCodeAt(0)) return false;
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}
