import { BodyError } from './body-error.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  escapable,
  hexDigit,
  LF,
  literals,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SMALL_U,
  SPACE,
  TAB,
} from './json-letters.ts';
import { isDigit, mayEnd, nextInNumber, type InNumber } from './json-number.ts';
import { JsonToken } from './json-token.ts';
import { KeptJson } from './kept-json.ts';

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

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The next expected token. After `first …` the container may also end. */
type Expected = 'value' | 'first element' | 'name' | 'first name' | 'colon' | 'separator' | 'nothing';

/** The token that the last piece ended in. */
type Open = 'nothing' | 'start' | 'string' | 'escape' | 'hex' | 'literal' | 'number';

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
  readonly #kept = new KeptJson();
  readonly #token: JsonToken;
  #valuesLeft: number;
  #expected: Expected = 'value';
  #open: Open = 'start';
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
    this.#token = new JsonToken(2 + 6 * Math.max(0, ...[...names].map(({ length }) => length)), onKept);
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
      throw new BodyError(this.#kept.depth === 0 && !isOpen ? 'empty' : 'malformed');
    return this.#kept.result;
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
    const isArray = this.#kept.isInArray;
    if (byte === (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) return this.#close();
    if (byte !== COMMA) throw new BodyError('malformed');
    this.at++;
    this.#expected = isArray ? 'value' : 'name';
  }

  #beginName(byte: number): void {
    if (byte !== QUOTE) throw new BodyError('malformed');
    this.#kept.name = undefined;
    this.#beginString(true, this.#kept.isInKept);
  }

  #beginValue(byte: number): void {
    const { isKept } = this.#kept;
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
    this.#token.begin(false, isKept);
    if (byte === MINUS) this.#pass(byte);
  }

  #openContainer(isArray: boolean, isKept: boolean): void {
    if (this.#kept.depth === this.#maxDepth) throw new BodyError('too-deep');
    this.#kept.open(isArray, isKept);
    this.#expected = isArray ? 'first element' : 'first name';
    this.at++;
  }

  #close(): void {
    this.#kept.close();
    this.at++;
    this.#endValue();
  }

  #endValue(): void {
    this.#expected = this.#kept.depth === 0 ? 'nothing' : 'separator';
  }

  #beginString(isName: boolean, isKept: boolean): void {
    this.#open = 'string';
    this.#token.begin(isName, isKept);
    this.#pass(QUOTE);
  }

  #readString(piece: Uint8Array, from: number): void {
    let index = from;
    let byte = piece[index];
    while (byte !== undefined && byte !== QUOTE && byte !== BACKSLASH && byte >= SPACE) byte = piece[++index];
    this.at += index - from;
    this.#token.addAll(piece, from, index);
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
    if (!this.#token.isName) return this.#endToken();
    this.#expected = 'colon';
    if (!this.#token.isKept) return;
    const name = this.#token.value() as string;
    if (this.#names.has(name)) this.#kept.name = name;
  }

  #endToken(): void {
    this.#endValue();
    if (this.#token.isKept) this.#kept.put(this.#token.value());
  }

  #readLiteral(byte: number): void {
    if (byte !== this.#literal[this.#literalBytes]) {
      this.at -= this.#literalBytes;
      throw new BodyError('malformed');
    }
    this.at++;
    if (++this.#literalBytes < this.#literal.length) return;
    this.#open = 'nothing';
    this.#endValue();
    if (this.#kept.isKept) this.#kept.put(JSON.parse(this.#literal.toString()));
  }

  #readNumber(byte: number): void {
    const next = nextInNumber(this.#inNumber, byte);
    if (next === undefined) return this.#endNumber();
    this.#inNumber = next;
    this.#pass(byte);
  }

  #endNumber(): void {
    if (!mayEnd(this.#inNumber)) throw new BodyError('malformed');
    this.#open = 'nothing';
    this.#endToken();
  }

  #pass(byte: number): void {
    this.at++;
    this.#token.add(byte);
  }
}
