const linesPerPart = 200;

/** Some lines in a row. Full ones never change, so that they are drawn once. */
export interface LogPart {
  readonly id: number;
  readonly text: string;
  readonly lines: number;
}

/** The last lines of an output. Older ones are dropped in whole parts. */
export class LogBuffer {
  readonly #mostLines: number;
  #parts: LogPart[] = [];
  #lines = 0;
  #dropped = 0;

  constructor(mostLines = 20_000) {
    this.#mostLines = mostLines;
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      const last = this.#parts.at(-1);
      if (last && last.lines < linesPerPart)
        this.#parts[this.#parts.length - 1] = { id: last.id, text: `${last.text}\n${line}`, lines: last.lines + 1 };
      else this.#parts.push({ id: (last?.id ?? 0) + 1, text: line, lines: 1 });
    }
    this.#lines += lines.length;
    while (this.#lines > this.#mostLines && this.#parts.length > 1) {
      const { lines: gone } = this.#parts.shift()!;
      this.#lines -= gone;
      this.#dropped += gone;
    }
  }

  get parts(): readonly LogPart[] {
    return this.#parts;
  }

  get lines(): number {
    return this.#lines;
  }

  /** The number of lines that are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }
}
