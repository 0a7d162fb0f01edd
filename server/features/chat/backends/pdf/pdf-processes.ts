import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { TaskProcesses, TaskTooCostly } from '#server/backends/task-process.ts';
import { maxFileTextBytes } from '../../file-texts/named-files.ts';
import { Turns } from '#server/domain/turns.ts';
import { PdfRefused, type PdfReader, type PdfSource } from '../../file-texts/pdf-reader.ts';
import type { FromPdfProcess, PdfTask } from './messages.ts';

/** Beyond the limits of memory and time, the process of a PDF is killed. */
const standardLimits = {
  mostTextBytes: maxFileTextBytes,
  mostMemoryBytes: 512 * 2 ** 20,
  timeoutMs: 15_000,
  /** PDFs that wait for their turn. */
  mostWaiting: 32,
};

/** Reads each PDF in a process of its own. */
export class PdfProcesses implements PdfReader {
  readonly #limits: typeof standardLimits;
  readonly #processes: TaskProcesses<FromPdfProcess>;
  readonly #turns: Turns;
  #hasNoReader = false;

  constructor(limits: Partial<typeof standardLimits> = {}) {
    this.#limits = { ...standardLimits, ...limits };
    // One processor is left for requests.
    const running = Math.max(1, availableParallelism() - 1);
    this.#turns = new Turns({ running, waiting: this.#limits.mostWaiting });
    this.#processes = new TaskProcesses(join(import.meta.dirname, 'main.js'), this.#limits);
  }

  async textOf(source: PdfSource, signal: AbortSignal): Promise<string> {
    if (this.#hasNoReader) throw new PdfRefused('no-reader');
    const text = this.#turns.take(() => this.#read(source, signal));
    if (text === undefined) throw new PdfRefused('busy');
    return text;
  }

  /** Kills all processes. */
  close(): void {
    this.#processes.close();
  }

  async #read({ sizeBytes, open }: PdfSource, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { mostTextBytes, mostMemoryBytes } = this.#limits;
    const about: PdfTask = { sourceBytes: sizeBytes, mostTextBytes, mostMemoryBytes };
    try {
      return await this.#processes.run({ about, input: await open(), signal }, async (message, output) => {
        if (message.type === 'refused') throw new PdfRefused(message.reason);
        return textFrom(output, Math.min(message.sizeBytes, mostTextBytes));
      });
    } catch (error) {
      if (error instanceof PdfRefused && error.reason === 'no-reader') this.#hasNoReader = true;
      throw error instanceof TaskTooCostly ? new PdfRefused('too-costly') : error;
    }
  }
}

/** Reads so many bytes. The process does not end its output. */
async function textFrom(output: Readable, sizeBytes: number): Promise<string> {
  const text = Buffer.allocUnsafeSlow(sizeBytes);
  let at = 0;
  for await (const chunk of output) {
    at += (chunk as Buffer).copy(text, at);
    if (at === sizeBytes) return text.toString();
  }
  throw new TaskTooCostly();
}
