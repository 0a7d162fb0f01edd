import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A block of code of a guide. */
export interface GuideBlock {
  readonly language: string;
  /** The name of the file that the guide tells the reader to write; undefined for commands. */
  readonly file: string | undefined;
  /** Whether the command goes on until the reader stops it. */
  readonly keepsRunning: boolean;
  readonly code: string;
}

/** Returns the blocks of a document of `docs/`, in their order: files as ```` ```js [server.js] ````, and commands. */
export function blocksOf(guide: string): GuideBlock[] {
  const text = readFileSync(join(root, 'docs', guide), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: \[([^\]]+)\])?\n([^]*?)^```$/gm)].map(([, language, label, code]) => ({
    language: language!,
    file: label === undefined || label.includes(' ') ? undefined : label,
    keepsRunning: label === 'keep running',
    code: code!,
  }));
}
