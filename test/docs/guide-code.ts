import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { areTabs, partsOf } from '#openapi/build/pages/tabs.ts';

const root = join(import.meta.dirname, '../..');

/** A block of code of a guide. */
export interface GuideBlock {
  readonly language: string;
  /** The name of the file that the guide tells the reader to write; undefined for commands. */
  readonly file: string | undefined;
  /** Whether the command goes on until the reader stops it. */
  readonly keepsRunning: boolean;
  /** Whether it is one of several tabs that do the same in different languages. */
  readonly isTab: boolean;
  readonly code: string;
}

/** Returns the blocks of a document of `docs/`, in their order: files as ```` ```js [server.js] ````, and commands. */
export function blocksOf(guide: string): GuideBlock[] {
  const parts = partsOf(readFileSync(join(root, 'docs', guide), 'utf8'));
  return parts.flatMap((part) =>
    typeof part === 'string'
      ? []
      : part.map(({ language, label, code }) => ({
          language,
          file: label === undefined || label.includes(' ') ? undefined : label,
          keepsRunning: label === 'keep running',
          isTab: areTabs(part),
          code,
        })),
  );
}
