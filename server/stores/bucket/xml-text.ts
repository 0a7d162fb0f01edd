/*
 * The few texts that a bucket answers in XML: keys that Cubby chose itself, ids, codes and instants. Patterns find them,
 * because a parser of XML would take as long as the rest of a page of a list.
 */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the text of the first element of this name. */
export function textOf(xml: string, name: string): string | undefined {
  if (xml === '') return undefined;
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity]!);
}

/** Returns what is inside each element of this name. */
export function elementsOf(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g')), ([, inside]) => inside!);
}
