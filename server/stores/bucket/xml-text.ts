/*
 * The few texts that a bucket answers in XML: keys that Cubby chose itself, ids, codes and instants. They are
 * searched for, because a parser of XML would take as long as the rest of a page of a list.
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

/** Finds the first element of this name from an index on. Without its end there is none, and none follows. */
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
