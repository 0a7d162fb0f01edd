import { leastBytes, mostBytes } from '../file-size.ts';
import { isAccepted } from './accepted.ts';
import { parseSize } from './parse-size.ts';

/** Which files an element takes. */
export interface Limits {
  readonly accept: string;
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly maxTotalBytes: number;
  readonly maxFiles: number;
}

/** Why a file is not taken, before anything of it is sent. `page`: the page itself said no to the `adding` event. */
export type RefusalReason =
  | 'type'
  | 'small'
  | 'large'
  | 'total'
  | 'count'
  | 'folder'
  | 'empty'
  | 'hidden'
  | 'unreadable'
  | 'page';

/** What the attributes say, within what the server takes. */
export function limitsOf(element: Element): Limits {
  const read = <T>(name: string, parse: (text: string) => T | undefined, without: T): T => {
    const text = element.getAttribute(name);
    if (text === null) return without;
    const value = parse(text);
    if (value === undefined)
      console.error(
        `<cubby-upload>: ${name}="${text}" is not read. Write a number, for a size with or without a unit: "10MB".`,
      );
    return value ?? without;
  };
  const count = (text: string) => (/^\s*[1-9]\d*\s*$/.test(text) ? Number(text) : undefined);
  return {
    accept: element.getAttribute('accept') ?? '',
    minBytes: Math.max(leastBytes, read('min-size', parseSize, 0)),
    maxBytes: Math.min(mostBytes, read('max-size', parseSize, mostBytes)),
    maxTotalBytes: read('max-total-size', parseSize, Infinity),
    maxFiles: element.hasAttribute('multiple') ? read('max-files', count, Infinity) : 1,
  };
}

/** Why this file is not taken beside so many others; undefined when it is. */
export function refusalOf(
  file: File,
  limits: Limits,
  others: { readonly files: number; readonly bytes: number },
): RefusalReason | undefined {
  if (!isAccepted(file, limits.accept)) return 'type';
  if (file.size < limits.minBytes) return 'small';
  if (file.size > limits.maxBytes) return 'large';
  if (others.files >= limits.maxFiles) return 'count';
  return others.bytes + file.size > limits.maxTotalBytes ? 'total' : undefined;
}
