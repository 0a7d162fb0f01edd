import { leastBytes, mostBytes } from '../file-size.ts';
import { isAccepted } from './accepted.ts';
import { isOn } from './attributes.ts';
import { parseSize } from './parse-size.ts';

/** The files that the element accepts. */
export interface Limits {
  readonly accept: string;
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly maxTotalBytes: number;
  readonly maxFiles: number;
}

/** The reason why a file is rejected before it is sent. `page`: the page prevented the `adding` event. */
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

/** Reads the limits from the attributes, within the server's limits. */
export function limitsOf(element: Element): Limits {
  const read = <T>(name: string, parse: (text: string) => T | undefined, without: T): T => {
    const text = element.getAttribute(name);
    if (text === null) return without;
    const value = parse(text);
    if (value === undefined)
      console.error(`<cubby-upload>: ${name}="${text}" is ignored. Write a number; a size may have a unit: "10MB".`);
    return value ?? without;
  };
  const count = (text: string) => (/^\s*[1-9]\d*\s*$/.test(text) ? Number(text) : undefined);
  return {
    accept: element.getAttribute('accept') ?? '',
    minBytes: Math.max(leastBytes, read('min-size', parseSize, 0)),
    maxBytes: Math.min(mostBytes, read('max-size', parseSize, mostBytes)),
    maxTotalBytes: read('max-total-size', parseSize, Infinity),
    maxFiles: isOn(element, 'multiple') ? read('max-files', count, Infinity) : 1,
  };
}

/** Returns why a file is rejected, given the files already listed. Undefined when it is accepted. */
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
