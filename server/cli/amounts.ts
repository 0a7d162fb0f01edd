/** Returns a number that is written with digits and at most some decimals. NaN for anything else. */
export function parseDecimal(text: string, decimals: number): number {
  const form = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  return form && (form[2]?.length ?? 0) <= decimals ? Number(text) : NaN;
}

/** Writes an amount of money without an exponent, to a billionth. */
export function plainAmount(amount: number): string {
  const [whole, decimals = ''] = amount.toFixed(9).split('.');
  const kept = decimals.replace(/(?<!0)0+$/, '');
  return kept === '' ? whole! : `${whole}.${kept}`;
}
