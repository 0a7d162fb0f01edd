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
  /** Called with the bytes that each kept value takes, as they arrive. */
  readonly onKept?: (bytes: number) => void;
}

/** What a value takes besides its text. */
const valueBytes = 32;

/** Bytes to read in one turn of the event loop: some tenths of a millisecond. */
const pieceBytes = 65_536;

/**
 * Returns the position of the first byte that is not valid JSON, or the text's length if it ends too soon. Returns
 * undefined for valid JSON. It creates no values, and other requests are served in between.
 */
export async function firstFault(bytes: Buffer): Promise<number | undefined> {
  const picker = new JsonPicker({ names: new Set(), maxDepth: Infinity, maxValues: Infinity });
  try {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      if (from > 0) await bodyTurn();
      picker.write(bytes.subarray(from, from + pieceBytes));
    }
    picker.end();
    return undefined;
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return picker.at;
  }
}

const [TAB, LF, CR, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [PLUS, MINUS, POINT, ZERO, NINE, SMALL_U] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x75];

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

/** The token that the last piece ended in. */
type Open = 'nothing' | 'start' | 'string' | 'escape' | 'hex' | 'literal' | 'number';

/** Where a number stands. It may end after `zero`, `whole`, `fraction` and `power`. */
type InNumber = 'sign' | 'zero' | 'whole' | 'point' | 'fraction' | 'exponent' | 'exponent sign' | 'power';

/**
 * Reads some members of a large JSON text, piece by piece as it arrives. The result is what `JSON.parse` would return,
 * without all other members. It holds only what it keeps, and its time depends on the length alone. `JSON.parse` takes
 * dozens of times as long for many different names as for strings, and blocks the event loop.
 *
 * `maxDepth` applies to the whole text, `maxValues` only to the values that are kept. After an error it is of no use.
 */
export class JsonPicker {
  /** The position of the next byte to read; after an error, its position. */
  at = 0;
  readonly #names: ReadonlySet<string>;
  readonly #maxDepth: number;
  readonly #onKept: (bytes: number) => void;
  readonly #longestName: number;
  readonly #containers: Container[] = [];
  #valuesLeft: number;
  #expected: Expected = 'value';
  /** The name of the member whose value comes next; undefined if the value is skipped. */
  #name: string | undefined = '';
  #open: Open = 'start';
  #result: unknown;

  /** The text of the open token, if it is needed. */
  #text = Buffer.allocUnsafeSlow(256);
  #textBytes = 0;
  #isTextKept = false;
  #isOpenName = false;
  #hexDigits = 0;
  #literal = literals[0]!;
  #literalBytes = 0;
  #inNumber: InNumber = 'sign';

  constructor({ names, maxDepth, maxValues, onKept = () => {} }: JsonPick) {
    this.#names = names;
    this.#maxDepth = maxDepth;
    this.#valuesLeft = maxValues;
    this.#onKept = onKept;
    // Each letter may be written as \u0000.
    this.#longestName = 2 + 6 * Math.max(0, ...[...names].map(({ length }) => length));
  }

  /** Reads the next piece. @throws {BodyError} `too-deep`, `too-many`, `malformed`, and the error of `onKept` */
  write(piece: Uint8Array): void {
    const base = this.at;
    for (let index = 0; index < piece.length; index = this.at - base) this.#readFrom(piece, index);
  }

  /** Returns the kept members. @throws {BodyError} `empty`, `malformed` */
  end(): unknown {
    if (this.#open === 'number') this.#endNumber();
    const isOpen = this.#open !== 'nothing' && this.#open !== 'start';
    if (isOpen || this.#expected !== 'nothing')
      throw new BodyError(this.#containers.length === 0 && !isOpen ? 'empty' : 'malformed');
    return this.#result;
  }

  /** Reads at least one byte, and advances `at` past what it read. */
  #readFrom(piece: Uint8Array, index: number): void {
    switch (this.#open) {
      case 'start':
        return this.#readMark(piece[index]!);
      case 'string':
        return this.#readString(piece, index);
      case 'escape':
        return this.#readEscape(piece[index]!);
      case 'hex':
        return this.#readHexDigit(piece[index]!);
      case 'literal':
        return this.#readLiteral(piece[index]!);
      case 'number':
        return this.#readNumber(piece[index]!);
      case 'nothing':
        return this.#readToken(piece, index);
    }
  }

  /** A byte order mark at the start is ignored, as RFC 8259 section 8.1 permits. */
  #readMark(byte: number): void {
    if (byte === byteOrderMark[this.at]) {
      this.at++;
      if (this.at === byteOrderMark.length) this.#open = 'nothing';
    } else if (this.at > 0) {
      this.at = 0;
      throw new BodyError('malformed');
    } else {
      this.#open = 'nothing';
    }
  }

  #readToken(piece: Uint8Array, from: number): void {
    let index = from;
    let byte = piece[index];
    while (byte === SPACE || byte === LF || byte === CR || byte === TAB) byte = piece[++index];
    this.at += index - from;
    if (byte === undefined) return;
    switch (this.#expected) {
      case 'first element':
        if (byte === CLOSE_BRACKET) return this.#close();
        return this.#beginValue(byte);
      case 'value':
        return this.#beginValue(byte);
      case 'first name':
        if (byte === CLOSE_BRACE) return this.#close();
        return this.#beginName(byte);
      case 'name':
        return this.#beginName(byte);
      case 'colon':
        if (byte !== COLON) throw new BodyError('malformed');
        this.at++;
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
    this.at++;
    this.#expected = isArray ? 'value' : 'name';
  }

  get #isInArray(): boolean {
    const inner = this.#containers.at(-1)!;
    return inner.kept === undefined ? inner.isArray : Array.isArray(inner.kept);
  }

  #beginName(byte: number): void {
    if (byte !== QUOTE) throw new BodyError('malformed');
    this.#name = undefined;
    this.#beginString(true, this.#containers.at(-1)!.kept !== undefined);
  }

  /** Whether the next value is kept. */
  get #isKept(): boolean {
    const inner = this.#containers.at(-1);
    if (inner === undefined) return true;
    return inner.kept !== undefined && (Array.isArray(inner.kept) || this.#name !== undefined);
  }

  #beginValue(byte: number): void {
    const isKept = this.#isKept;
    if (isKept && this.#valuesLeft-- === 0) throw new BodyError('too-many');
    if (isKept) this.#onKept(valueBytes);
    if (byte === OPEN_BRACKET || byte === OPEN_BRACE) return this.#openContainer(byte === OPEN_BRACKET, isKept);
    if (byte === QUOTE) return this.#beginString(false, isKept);
    const literal = literals.find(([first]) => first === byte);
    if (literal) {
      this.#open = 'literal';
      this.#literal = literal;
      this.#literalBytes = 0;
      return this.#readLiteral(byte);
    }
    if (byte !== MINUS && !isDigit(byte)) throw new BodyError('malformed');
    this.#open = 'number';
    this.#inNumber = 'sign';
    this.#beginText(false, isKept);
    if (byte === MINUS) this.#pass(byte);
  }

  #openContainer(isArray: boolean, isKept: boolean): void {
    if (this.#containers.length === this.#maxDepth) throw new BodyError('too-deep');
    const kept: unknown[] | Record<string, unknown> = isArray ? [] : {};
    this.#put(kept, isKept);
    this.#containers.push(isKept ? ({ kept } as Container) : { kept: undefined, isArray });
    this.#expected = isArray ? 'first element' : 'first name';
    this.at++;
  }

  #close(): void {
    this.#containers.pop();
    this.at++;
    this.#expected = this.#containers.length === 0 ? 'nothing' : 'separator';
  }

  /** Adds a value to the container around it. */
  #put(value: unknown, isKept: boolean): void {
    const inner = this.#containers.at(-1);
    this.#expected = inner === undefined ? 'nothing' : 'separator';
    if (!isKept) return;
    if (inner === undefined) this.#result = value;
    else if (Array.isArray(inner.kept)) inner.kept.push(value);
    else (inner.kept as Record<string, unknown>)[this.#name!] = value;
  }

  #beginString(isName: boolean, isKept: boolean): void {
    this.#open = 'string';
    this.#beginText(isName, isKept);
    this.#pass(QUOTE);
  }

  #readString(piece: Uint8Array, from: number): void {
    let index = from;
    let byte = piece[index];
    while (byte !== undefined && byte !== QUOTE && byte !== BACKSLASH && byte >= SPACE) byte = piece[++index];
    this.#passAll(piece, from, index);
    if (byte === undefined) return;
    if (byte < SPACE) throw new BodyError('malformed');
    this.#pass(byte);
    if (byte === BACKSLASH) this.#open = 'escape';
    else this.#endString();
  }

  #readEscape(byte: number): void {
    if (byte !== SMALL_U && !escapable[byte]) return this.#failEscape(1);
    this.#pass(byte);
    this.#open = byte === SMALL_U ? 'hex' : 'string';
    this.#hexDigits = 0;
  }

  #readHexDigit(byte: number): void {
    if (!hexDigit[byte]) return this.#failEscape(2 + this.#hexDigits);
    this.#pass(byte);
    if (++this.#hexDigits === 4) this.#open = 'string';
  }

  /** The fault is at the backslash. */
  #failEscape(passedBytes: number): never {
    this.at -= passedBytes;
    throw new BodyError('malformed');
  }

  #endString(): void {
    this.#open = 'nothing';
    if (!this.#isOpenName) return this.#put(this.#takeText(), this.#isTextKept);
    this.#expected = 'colon';
    if (!this.#isTextKept) return;
    const name = this.#takeText() as string;
    if (this.#names.has(name)) this.#name = name;
  }

  #readLiteral(byte: number): void {
    if (byte !== this.#literal[this.#literalBytes]) {
      this.at -= this.#literalBytes;
      throw new BodyError('malformed');
    }
    this.at++;
    if (++this.#literalBytes < this.#literal.length) return;
    this.#open = 'nothing';
    this.#put(this.#isKept ? JSON.parse(this.#literal.toString()) : undefined, this.#isKept);
  }

  #readNumber(byte: number): void {
    const next = nextInNumber(this.#inNumber, byte);
    if (next === undefined) return this.#endNumber();
    this.#inNumber = next;
    this.#pass(byte);
  }

  #endNumber(): void {
    if (!['zero', 'whole', 'fraction', 'power'].includes(this.#inNumber)) throw new BodyError('malformed');
    this.#open = 'nothing';
    this.#put(this.#isTextKept ? this.#takeText() : undefined, this.#isTextKept);
  }

  #beginText(isName: boolean, isKept: boolean): void {
    this.#isOpenName = isName;
    this.#isTextKept = isKept;
    this.#textBytes = 0;
  }

  /** Returns the value of the text that was kept. */
  #takeText(): unknown {
    return this.#isTextKept ? JSON.parse(this.#text.toString('utf8', 0, this.#textBytes)) : undefined;
  }

  #pass(byte: number): void {
    this.at++;
    if (!this.#isTextKept) return;
    this.#makeRoom(1);
    if (this.#isTextKept) this.#text[this.#textBytes++] = byte;
  }

  #passAll(piece: Uint8Array, from: number, until: number): void {
    this.at += until - from;
    if (!this.#isTextKept) return;
    this.#makeRoom(until - from);
    if (!this.#isTextKept) return;
    this.#text.set(piece.subarray(from, until), this.#textBytes);
    this.#textBytes += until - from;
  }

  #makeRoom(bytes: number): void {
    const size = this.#textBytes + bytes;
    // A name that is longer than any that is kept is skipped.
    if (this.#isOpenName) this.#isTextKept = size <= this.#longestName;
    else this.#onKept(bytes);
    if (!this.#isTextKept || size <= this.#text.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#text.length));
    larger.set(this.#text.subarray(0, this.#textBytes));
    this.#text = larger;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Returns where a number stands after a byte, or undefined if the byte does not belong to it. */
function nextInNumber(at: InNumber, byte: number): InNumber | undefined {
  const isExponent = byte === 0x45 || byte === 0x65;
  switch (at) {
    case 'sign':
      return byte === ZERO ? 'zero' : isDigit(byte) ? 'whole' : undefined;
    case 'zero':
      return byte === POINT ? 'point' : isExponent ? 'exponent' : undefined;
    case 'whole':
      return isDigit(byte) ? 'whole' : nextInNumber('zero', byte);
    case 'point':
      return isDigit(byte) ? 'fraction' : undefined;
    case 'fraction':
      return isDigit(byte) ? 'fraction' : isExponent ? 'exponent' : undefined;
    case 'exponent':
      return byte === PLUS || byte === MINUS ? 'exponent sign' : nextInNumber('exponent sign', byte);
    case 'exponent sign':
    case 'power':
      return isDigit(byte) ? 'power' : undefined;
  }
}
