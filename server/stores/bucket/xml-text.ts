/*
 * The few texts that a bucket answers in XML: keys that Cubby chose itself, ids, codes and instants. A text search
 * finds them. An XML parser would take as long as all other work on a page of a list.
 */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the text of the first element of this name. */
export function textOf(xml: string, name: string): string | undefined {
  const text = elementFrom(xml, name, 0)?.inside;
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity]!);
}

/** Returns what is inside each element of this name. */
export function elementsOf(xml: string, name: string): string[] {
  const found: string[] = [];
  for (let element = elementFrom(xml, name, 0); element; element = elementFrom(xml, name, element.end))
    found.push(element.inside);
  return found;
}

/** Finds the first element of this name from an index on. An element without an end counts as none. */
function elementFrom(
  xml: string,
  name: string,
  from: number,
): { readonly inside: string; readonly end: number } | undefined {
  const open = `<${name}>`;
  const start = xml.indexOf(open, from);
  const end = start === -1 ? -1 : xml.indexOf(`</${name}>`, start);
  return end === -1 ? undefined : { inside: xml.slice(start + open.length, end), end };
}
