import { threadMs } from '#test/support/thread-ms.ts';

/** A slow input of an expression, abbreviated. */
export interface Slow {
  readonly input: string;
  /** Processor time of the thread, which does not depend on what else the machine does. */
  readonly ms: number;
}

/**
 * Texts before and after the repeated part: nothing, or text that hardly any expression matches. The expression's own
 * words are tried too.
 */
const ends = ['', '\u0000', '\n', '!', 'x'];

/** Sample characters for the classes in expressions. */
const classes: Readonly<Record<string, readonly string[]>> = {
  '\\d': ['0'],
  '\\w': ['a', '_'],
  '\\s': [' ', '\t'],
  '\\S': ['a'],
  '\\W': ['-'],
  '\\D': ['a'],
  '\\r': ['\r'],
  '\\n': ['\n'],
  '\\t': ['\t'],
  '.': ['x'],
};
const common = ['a', 'A', '0', ' ', '.', '-', '/', '"', '\\', '%'];

const small = [20, 24, 28, 32, 36, 40, 44, 48, 56, 64, 80, 96, 128, 192];

/**
 * Searches an input of `sizeBytes` characters on which an expression takes longer than `maxMs`, by repeating pieces of
 * the expression's own text.
 */
export function findSlow(
  expression: RegExp,
  { sizeBytes, maxMs, isLong }: { readonly sizeBytes: number; readonly maxMs: number; readonly isLong: boolean },
): Slow | undefined {
  const everywhere = expression.sticky
    ? expression
    : new RegExp(expression.source, `${expression.flags.replace('g', '')}g`);
  const { tokens, words } = partsOf(expression.source);
  // A repeated group may take exponential time, so that only small sizes end.
  const sizes = [...(/\)[*+{]/.test(expression.source) ? small : []), 256, 512, 1024, sizeBytes / 8, sizeBytes];
  const few = (all: readonly string[], count: number) => (isLong ? all : all.slice(0, count));
  const pumps = [
    ...tokens,
    ...words,
    ...few(tokens, 12).flatMap((one) =>
      few(tokens, 12)
        .filter((two) => two !== one)
        .map((two) => one + two),
    ),
  ];
  for (const pump of new Set(pumps)) {
    for (const before of ['', ...few(words, 4)]) {
      for (const behind of [...few(ends, 3), ...few(words, 2)]) {
        const inputOf = (size: number) => before + pump.repeat(Math.ceil(size / pump.length)) + behind;
        for (const size of sizes) {
          const mostMs = size < sizeBytes / 8 ? 10 : maxMs;
          const firstMs = timeOf(everywhere, inputOf(size));
          const ms = firstMs > mostMs ? shortest(everywhere, inputOf(size)) : firstMs;
          if (ms > mostMs)
            return { input: `${JSON.stringify(before)} + ${JSON.stringify(pump)} … + ${JSON.stringify(behind)}`, ms };
          // A quadratic expression takes 64 times as long at eight times the size.
          if (size === sizeBytes / 8 && firstMs < maxMs / 64) break;
        }
      }
    }
  }
  return undefined;
}

function timeOf(expression: RegExp, input: string): number {
  expression.lastIndex = 0;
  const before = threadMs();
  input.replace(expression, '');
  return threadMs() - before;
}

/**
 * The best of several, because an expression is compiled only after some runs, and the collector may run within one.
 */
function shortest(expression: RegExp, input: string): number {
  return Math.min(...[1, 2, 3].map(() => timeOf(expression, input)));
}

/** The characters and the words that an expression is made of. */
function partsOf(source: string): { readonly tokens: readonly string[]; readonly words: readonly string[] } {
  const pieces = source.match(/\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^]|[^\\]/gi) ?? [];
  const isSyntax = (piece: string) => /^[()[\]{}?*+|^$]$/.test(piece);
  const characters = pieces.flatMap((piece) => classes[piece] ?? (isSyntax(piece) ? [] : [characterOf(piece)]));
  const words = source.match(/[A-Za-z0-9=:;<"' -]{2,}/g) ?? [];
  return { tokens: [...new Set([...characters, ...common])], words: [...new Set(words)] };
}

function characterOf(piece: string): string {
  const code = /^\\(?:u\{?|x)([0-9a-f]+)\}?$/i.exec(piece)?.[1];
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  return piece.length === 2 ? piece[1]! : piece;
}
