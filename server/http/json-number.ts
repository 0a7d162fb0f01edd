const [PLUS, MINUS, POINT, ZERO, NINE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39];

/** Where a number stands. It may end after `zero`, `whole`, `fraction` and `power`. */
export type InNumber = 'sign' | 'zero' | 'whole' | 'point' | 'fraction' | 'exponent' | 'exponent sign' | 'power';

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Whether a number may end where it stands. */
export function mayEnd(at: InNumber): boolean {
  return at === 'zero' || at === 'whole' || at === 'fraction' || at === 'power';
}

/** Returns where a number stands after a byte, or undefined if the byte does not belong to it. */
export function nextInNumber(at: InNumber, byte: number): InNumber | undefined {
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
