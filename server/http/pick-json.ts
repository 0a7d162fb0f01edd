import { isUtf8 } from 'node:buffer';

import { BodyError } from './body-error.ts';
import { bodyTurn } from './body-turn.ts';

export interface JsonLimits {
  /** `[]` has depth 1, `[[]]` has depth 2, a bare number has depth 0. */
  readonly maxDepth: number;
  /**
   * All values count, also members and elements. For a text that is all structure, `JSON.parse` takes many times as
   * long as for mostly strings of the same length. It blocks the event loop meanwhile.
   */
  readonly maxValues: number;
}

interface JsonPick extends JsonLimits {
  /** Names of the members to keep, at any depth. All other members are skipped with their values. */
  readonly names: ReadonlySet<string>;
}

/** Bytes to read in one turn of the event loop: some tenths of a millisecond. */
const pieceBytes = 65_536;

/**
 * Reads some members of a large JSON text. Returns what `JSON.parse` would, without all other members. The time depends
 * on the length alone, and other requests are served in between. `JSON.parse` takes dozens of times as long for many
 * different names as for strings, and blocks the event loop.
 *
 * `maxDepth` applies to the whole text, `maxValues` only to the values that are kept.
 *
 * @throws {BodyError} `too-deep`, `too-many`, `empty`, `malformed`
 */
export async function pickJson(bytes: Buffer, { names, maxDepth, maxValues }: JsonPick): Promise<unknown> {
  if (!isUtf8(bytes)) throw new BodyError('malformed');
  const reader = new Reader(bytes, names, maxDepth, maxValues);
  while (!reader.readPiece(pieceBytes)) await bodyTurn();
  return reader.result;
}

/**
 * Returns the position of the first byte that is not valid JSON, or the text's length if it ends too soon. Returns
 * undefined for valid JSON. It creates no values, and other requests are served in between.
 */
export async function firstFault(bytes: Buffer): Promise<number | undefined> {
  const reader = new Reader(bytes, new Set(), Infinity, Infinity);
  try {
    while (!reader.readPiece(pieceBytes)) await bodyTurn();
    return undefined;
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return reader.at;
  }
}

const [TAB, LF, CR, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [PLUS, MINUS, POINT, ZERO, NINE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39];

const literals = ['true', 'false', 'null'].map((literal) => Buffer.from(literal));

/** For each byte: whether it may follow a backslash, and whether it is a digit of `\\u`. */
const escapable = among('"\\/bfnrt');
const hexDigit = among('0123456789abcdefABCDEF');

function among(letters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const letter of letters) table[letter.charCodeAt(0)] = 1;
  return table;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** An array or object that has begun. One that is skipped keeps nothing. */
type Container =
  | { readonly kept: unknown[] }
  | { readonly kept: Record<string, unknown> }
  | { readonly kept: undefined; readonly isArray: boolean };

/** The next expected token. After `first …` the container may also end. */
type Expected = 'value' | 'first element' | 'name' | 'first name' | 'colon' | 'separator' | 'nothing';

class Reader {
  result: unknown;
  readonly #bytes: Buffer;
  readonly #names: ReadonlySet<string>;
  readonly #maxDepth: number;
  readonly #longestName: number;
  readonly #containers: Container[] = [];
  #valuesLeft: number;
  #at: number;
  #expected: Expected = 'value';
  /** The name of the member whose value comes next; undefined if the value is skipped. */
  #name: string | undefined = '';

  constructor(bytes: Buffer, names: ReadonlySet<string>, maxDepth: number, maxValues: number) {
    this.#bytes = bytes;
    this.#names = names;
    this.#maxDepth = maxDepth;
    this.#valuesLeft = maxValues;
    // Each letter may be written as \u0000.
    this.#longestName = 6 * Math.max(...[...names].map(({ length }) => length));
    this.#at = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  }

  /** The position of the next byte to read; after an error, its position. */
  get at(): number {
    return this.#at;
  }

  /** Reads some more bytes, but always a whole token. Returns whether the text has ended. */
  readPiece(maxBytes: number): boolean {
    const until = this.#at + maxBytes;
    for (this.#skipBlanks(); this.#at < this.#bytes.length; this.#skipBlanks()) {
      if (this.#at >= until) return false;
      this.#readToken(this.#bytes[this.#at]!);
    }
    if (this.#expected !== 'nothing') throw new BodyError(this.#containers.length === 0 ? 'empty' : 'malformed');
    return true;
  }

  #skipBlanks(): void {
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte !== SPACE && byte !== LF && byte !== CR && byte !== TAB) return;
    }
  }

  #readToken(byte: number): void {
    switch (this.#expected) {
      case 'first element':
        if (byte === CLOSE_BRACKET) return this.#close();
        return this.#readValue(byte);
      case 'value':
        return this.#readValue(byte);
      case 'first name':
        if (byte === CLOSE_BRACE) return this.#close();
        return this.#readName(byte);
      case 'name':
        return this.#readName(byte);
      case 'colon':
        if (byte !== COLON) throw new BodyError('malformed');
        this.#at++;
        this.#expected = 'value';
        return;
      case 'separator':
        return this.#readSeparator(byte);
      case 'nothing':
        throw new BodyError('malformed');
    }
  }

  #readSeparator(byte: number): void {
    const isArray = this.#isInArray;
    if (byte === (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) return this.#close();
    if (byte !== COMMA) throw new BodyError('malformed');
    this.#at++;
    this.#expected = isArray ? 'value' : 'name';
  }

  get #isInArray(): boolean {
    const inner = this.#containers.at(-1)!;
    return inner.kept === undefined ? inner.isArray : Array.isArray(inner.kept);
  }

  #readName(byte: number): void {
    if (byte !== QUOTE) throw new BodyError('malformed');
    const [from, until] = this.#readString();
    this.#name = undefined;
    if (this.#containers.at(-1)!.kept !== undefined && until - from - 2 <= this.#longestName) {
      const name = this.#textOf(from, until);
      if (this.#names.has(name)) this.#name = name;
    }
    this.#expected = 'colon';
  }

  /** Whether the next value is kept. */
  get #isKept(): boolean {
    const inner = this.#containers.at(-1);
    if (inner === undefined) return true;
    return inner.kept !== undefined && (Array.isArray(inner.kept) || this.#name !== undefined);
  }

  #readValue(byte: number): void {
    const isKept = this.#isKept;
    if (isKept && this.#valuesLeft-- === 0) throw new BodyError('too-many');
    if (byte === OPEN_BRACKET || byte === OPEN_BRACE) return this.#open(byte === OPEN_BRACKET, isKept);
    if (byte === QUOTE) {
      const [from, until] = this.#readString();
      return this.#put(isKept ? this.#textOf(from, until) : undefined, isKept);
    }
    this.#put(this.#readScalar(isKept), isKept);
  }

  #open(isArray: boolean, isKept: boolean): void {
    if (this.#containers.length === this.#maxDepth) throw new BodyError('too-deep');
    const kept: unknown[] | Record<string, unknown> = isArray ? [] : {};
    this.#put(kept, isKept);
    this.#containers.push(isKept ? ({ kept } as Container) : { kept: undefined, isArray });
    this.#expected = isArray ? 'first element' : 'first name';
    this.#at++;
  }

  #close(): void {
    this.#containers.pop();
    this.#at++;
    this.#expected = this.#containers.length === 0 ? 'nothing' : 'separator';
  }

  /** Adds a value to the container around it. */
  #put(value: unknown, isKept: boolean): void {
    const inner = this.#containers.at(-1);
    this.#expected = inner === undefined ? 'nothing' : 'separator';
    if (!isKept) return;
    if (inner === undefined) this.result = value;
    else if (Array.isArray(inner.kept)) inner.kept.push(value);
    else (inner.kept as Record<string, unknown>)[this.#name!] = value;
  }

  /** Skips a string. Returns where it begins and ends, with its quotation marks. */
  #readString(): [from: number, until: number] {
    const from = this.#at++;
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at]!;
      if (byte === QUOTE) return [from, ++this.#at];
      if (byte < SPACE) break;
      if (byte === BACKSLASH) this.#at += this.#escapeLength() - 1;
    }
    throw new BodyError('malformed');
  }

  #escapeLength(): number {
    const letter = this.#bytes[this.#at + 1]!;
    if (letter !== 0x75) {
      if (!escapable[letter]) throw new BodyError('malformed');
      return 2;
    }
    for (let digit = 2; digit < 6; digit++)
      if (!hexDigit[this.#bytes[this.#at + digit]!]) throw new BodyError('malformed');
    return 6;
  }

  #textOf(from: number, until: number): string {
    return JSON.parse(this.#bytes.toString('utf8', from, until)) as string;
  }

  /** Skips a number, `true`, `false` or `null`. Returns its value if it is kept. */
  #readScalar(isKept: boolean): unknown {
    const from = this.#at;
    if (literals.some((literal) => this.#skipLiteral(literal)) || this.#skipNumber())
      return isKept ? JSON.parse(this.#bytes.toString('latin1', from, this.#at)) : undefined;
    throw new BodyError('malformed');
  }

  #skipLiteral(literal: Buffer): boolean {
    const end = this.#at + literal.length;
    if (this.#bytes[this.#at] !== literal[0] || !this.#bytes.subarray(this.#at, end).equals(literal)) return false;
    this.#at = end;
    return true;
  }

  #skipNumber(): boolean {
    if (this.#bytes[this.#at] === MINUS) this.#at++;
    if (this.#bytes[this.#at] === ZERO) this.#at++;
    else if (!this.#skipDigits()) return false;
    if (this.#bytes[this.#at] === POINT && (this.#at++, !this.#skipDigits())) return false;
    if (this.#bytes[this.#at] !== 0x45 && this.#bytes[this.#at] !== 0x65) return true;
    this.#at++;
    if (this.#bytes[this.#at] === PLUS || this.#bytes[this.#at] === MINUS) this.#at++;
    return this.#skipDigits();
  }

  /** Returns whether it skipped at least one digit. */
  #skipDigits(): boolean {
    const from = this.#at;
    while (this.#bytes[this.#at]! >= ZERO && this.#bytes[this.#at]! <= NINE) this.#at++;
    return this.#at > from;
  }
}
