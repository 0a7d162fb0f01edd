/** A member of a list header, in lower case, and its weight from 0 to 1. */
interface Weighted {
  readonly value: string;
  readonly weight: number;
}

/** Parses a header such as `Accept` or `Accept-Encoding`. Without `q`, a weight is 1 (RFC 9110 section 12.4.2). */
export function weightedList(header: string): Weighted[] {
  return header.split(',').map((member) => {
    const [value = '', ...parameters] = member.split(';').map((text) => text.trim().toLowerCase());
    const weights = parameters.flatMap((text) => /^q\s*=\s*(\d(?:\.\d{0,3})?)$/.exec(text)?.[1] ?? []);
    return { value, weight: Number(weights[0] ?? 1) };
  });
}
