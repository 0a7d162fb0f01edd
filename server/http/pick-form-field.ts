import { BodyError } from './body-error.ts';
import { bodyTurn } from './body-turn.ts';
import { decodeFormText } from './query.ts';

const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20];

/** Bytes to decode in one turn of the event loop. */
const pieceBytes = 131_072;

/**
 * Returns the value of one field of a large form, as bytes. Other requests are served in between.
 *
 * @throws {BodyError} `not-a-form` unless the form has the field exactly once, and at most `maxFields` fields
 * @see https://url.spec.whatwg.org/#urlencoded-parsing
 */
export async function pickFormField(bytes: Buffer, name: string, maxFields: number): Promise<Buffer> {
  let value: Buffer | undefined;
  let fields = 0;
  for (let from = 0, until: number; from <= bytes.length; from = until + 1) {
    until = bytes.indexOf(AMPERSAND, from);
    if (until === -1) until = bytes.length;
    if (++fields > maxFields) throw new BodyError('not-a-form');
    const field = bytes.subarray(from, until);
    const equals = field.indexOf(EQUALS);
    const nameBytes = equals === -1 ? field.length : equals;
    // Each letter may be encoded in three bytes.
    if (nameBytes > 3 * name.length || decodeFormText(field.toString('utf8', 0, nameBytes)) !== name) continue;
    if (value) throw new BodyError('not-a-form');
    value = field.subarray(Math.min(nameBytes + 1, field.length));
  }
  if (!value) throw new BodyError('not-a-form');
  return decoded(value);
}

async function decoded(value: Buffer): Promise<Buffer> {
  const plain = Buffer.allocUnsafe(value.length);
  let length = 0;
  for (let at = 0; at < value.length;) {
    for (const until = Math.min(at + pieceBytes, value.length); at < until; at++) {
      const byte = value[at]!;
      if (byte !== PERCENT) {
        plain[length++] = byte === PLUS ? SPACE : byte;
        continue;
      }
      const [high, low] = [hexDigits[value[at + 1]!], hexDigits[value[at + 2]!]];
      if (high === undefined || low === undefined) throw new BodyError('not-a-form');
      plain[length++] = high * 16 + low;
      at += 2;
    }
    if (at < value.length) await bodyTurn();
  }
  return plain.subarray(0, length);
}

/** The value of each byte as a hexadecimal digit. */
const hexDigits: ReadonlyArray<number | undefined> = Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? undefined : digit;
});
