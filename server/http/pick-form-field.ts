import { BodyError } from './body-error.ts';
import { decodeFormText } from './query.ts';

const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20];

interface FormPick {
  /** The name of the field. */
  readonly name: string;
  readonly maxFields: number;
  /** Called with the decoded bytes of its value, piece by piece. */
  readonly onValue: (bytes: Uint8Array) => void;
}

/**
 * Reads the value of one field of a large form, piece by piece as it arrives. It holds nothing of it.
 *
 * @see https://url.spec.whatwg.org/#urlencoded-parsing
 */
export class FormFieldPicker {
  readonly #pick: FormPick;
  readonly #longestName: number;
  #fields = 1;
  #found = 0;
  #isInName = true;
  /** Whether the value belongs to the field. */
  #isWanted = false;
  /** The name so far. Longer ones are cut. */
  #nameText = '';
  /** What came of an encoded byte: undefined outside of one, or its first digit, or -1 before that. */
  #high: number | undefined;

  constructor(pick: FormPick) {
    this.#pick = pick;
    // Each letter may be encoded in three bytes.
    this.#longestName = 3 * pick.name.length + 1;
  }

  /** Reads the next piece. @throws {BodyError} `not-a-form`, and the error of `onValue` */
  write(piece: Uint8Array): void {
    const value = Buffer.allocUnsafe(piece.length);
    let length = 0;
    for (const byte of piece) {
      if (byte === AMPERSAND) {
        this.#endField();
        if (++this.#fields > this.#pick.maxFields) throw new BodyError('not-a-form');
        this.#isInName = true;
        this.#isWanted = false;
        this.#nameText = '';
      } else if (this.#isInName) {
        if (byte === EQUALS) this.#endName();
        else if (this.#nameText.length < this.#longestName) this.#nameText += String.fromCharCode(byte);
      } else if (this.#isWanted) {
        const decoded = this.#decode(byte);
        if (decoded !== undefined) value[length++] = decoded;
      }
    }
    if (length > 0) this.#pick.onValue(value.subarray(0, length));
  }

  /** @throws {BodyError} `not-a-form` unless the form has the field exactly once, and at most `maxFields` fields */
  end(): void {
    this.#endField();
    if (this.#found !== 1) throw new BodyError('not-a-form');
  }

  #endName(): void {
    this.#isInName = false;
    this.#isWanted = decodeFormText(this.#nameText) === this.#pick.name;
    if (this.#isWanted && ++this.#found > 1) throw new BodyError('not-a-form');
  }

  #endField(): void {
    if (this.#isInName) this.#endName();
    if (this.#high !== undefined) throw new BodyError('not-a-form');
  }

  /** Returns the byte that ends here, if one does. */
  #decode(byte: number): number | undefined {
    if (this.#high === undefined) {
      if (byte === PERCENT) this.#high = -1;
      else return byte === PLUS ? SPACE : byte;
      return undefined;
    }
    const digit = hexDigits[byte];
    if (digit === undefined) throw new BodyError('not-a-form');
    if (this.#high === -1) {
      this.#high = digit;
      return undefined;
    }
    const decoded = this.#high * 16 + digit;
    this.#high = undefined;
    return decoded;
  }
}

/** The value of each byte as a hexadecimal digit. */
const hexDigits: ReadonlyArray<number | undefined> = Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? undefined : digit;
});
