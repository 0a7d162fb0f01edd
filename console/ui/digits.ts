/** Returns the digits of a number as 0 to 9, in whatever script and with whatever marks between them it is written. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\P{Nd}/gu, '').replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit.codePointAt(0)!)));
}

/** The ten digits of a script lie beside one another, and 0 is the first. */
function valueOf(code: number): number {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}
