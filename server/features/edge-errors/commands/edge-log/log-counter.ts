import { advanceLog } from '../../advance-log.ts';
import { beginLog } from '../../begin-log.ts';
import { fingerprintBytes, type LogCheckpoint } from '../../log-checkpoint.ts';
import { normalisePath } from '../../normalise-path.ts';
import { Tally } from '../../tally.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { Failure } from '#server/cli/operator.ts';
import { emptySummary, type FileSummary } from './file-summary.ts';
import { lastOf, sha256, type KnownLog, type LogFile } from './log-file.ts';
import { readLogLine, type LogFormat } from './log-formats.ts';

/** The dependencies and options that all files of the command share. */
export interface CountingDeps {
  readonly metadata: Metadata;
  readonly appId: string;
  /** Undefined: detected for each line. */
  readonly format: LogFormat | undefined;
  /** Runs a write and may retry it while the database is unavailable. By default it runs once. */
  readonly persist?: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Maximum length of a line. Proxies limit request lines and headers to far less. */
const maxLineBytes = 256 * 1024;

/** Limits of one transaction, small enough that a running server does not notice. */
const batchKinds = 1000;
const batchLines = 100_000;

const maxNamedBad = 5;
const newline = 0x0a;

/** Counts the lines of one file, and stores its checkpoint together with the counts. */
export class LogCounter {
  readonly summary: FileSummary;
  readonly #deps: CountingDeps;
  readonly #file: Pick<LogFile, 'path' | 'inode'>;
  readonly #tally = new Tally();
  /** Errors in the tally. */
  #errors = 0;
  #checkpoint: LogCheckpoint;
  /** End of the last complete line, stored or not. */
  #offset: number;
  #lines: number;
  /** The last bytes before `#offset`. */
  #tail: Buffer;
  /** The first bytes of the file, and the last bytes read, even in an unfinished line. */
  #head: Buffer;
  #recent: Buffer;
  /** The beginning of an unfinished line. Empty if the line is too long. */
  #begun: Buffer = Buffer.alloc(0);
  #begunBytes = 0;
  /** Whether the previous line was counted before its line end arrived. */
  #isEndMissing: boolean;

  private constructor(
    deps: CountingDeps,
    file: LogFile,
    { checkpoint, position: { offset, lines, head, tail } }: KnownLog,
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

  /** Continues a file from its checkpoint, or starts it at its beginning. */
  static async open(
    deps: CountingDeps,
    file: LogFile,
    summary: FileSummary = emptySummary(file.path),
  ): Promise<LogCounter> {
    const { persist = once } = deps;
    for (;;) {
      const seen = await deps.metadata.read.edgeLogs.listOf(deps.appId);
      const known = await file.positionAmong(seen);
      if (known) return new LogCounter(deps, file, known, summary);
      const begun = await persist(() =>
        beginLog(deps, { appId: deps.appId, path: file.path, inode: file.inode }, seen),
      );
      const position = { offset: 0, lines: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) };
      if (begun) return new LogCounter(deps, file, { checkpoint: begun, position }, summary);
    }
  }

  /** The offset of the next byte to read. */
  get readOffset(): number {
    return this.#offset + this.#begunBytes;
  }

  /**
   * The last bytes before {@link readOffset}. If the file holds other bytes there, it was truncated and begun again.
   */
  get recent(): Buffer {
    return this.#recent;
  }

  /** Reads the file to its current end, or to where it was truncated. If reading fails, stores the counts so far. */
  async takeFrom(file: Pick<LogFile, 'from'>, signal?: AbortSignal): Promise<void> {
    try {
      for await (const chunk of file.from(this.readOffset, this.#recent)) {
        await this.take(chunk);
        if (signal?.aborted) return;
      }
    } catch (error) {
      await this.store().catch(() => {});
      throw error;
    }
  }

  /** Counts the next bytes of the file, line by line. Stores between two lines when a batch is full. */
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

  /** Counts the last line of a file without a line end, if the file is final or the line is complete. */
  async end({ isFinal }: { readonly isFinal: boolean }): Promise<void> {
    if (this.#begunBytes > 0 && (isFinal || (this.#begunBytes <= maxLineBytes && isWhole(this.#begun)))) {
      this.#endLine(Buffer.alloc(0));
      this.#tail = this.#recent;
    }
    await this.store();
  }

  /**
   * Stores counts and checkpoint together.
   *
   * @throws {Failure} when another command reads the same file
   */
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
        `Another "edge-log import" is reading ${path} for this application. ` +
          'What this one read is not counted. Run only one of them.',
      );
    this.#checkpoint = moved;
    this.summary.errors += this.#errors;
    this.#errors = 0;
    this.#tally.clear();
  }

  get #isFull(): boolean {
    return this.#tally.size >= batchKinds || this.#lines - this.#checkpoint.lines >= batchLines;
  }

  /**
   * Ends the current line and counts it.
   *
   * @param rest the bytes that complete the line, without the line end
   */
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

/** Returns whether an unfinished line is complete. A JSON object shows its own end. */
function isWhole(line: Buffer): boolean {
  if (line.at(-1) !== '}'.charCodeAt(0)) return false;
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}
