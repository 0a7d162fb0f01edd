import { XMLParser, XMLValidator } from 'fast-xml-parser';

import { nextTurn } from '#server/domain/next-turn.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';

/** A piece of XML that is safe to put into another. */
export type Xml = { readonly xml: string };

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** An element with a text, which is escaped, or with elements in it. */
export function element(name: string, content: string | number | boolean | readonly Xml[]): Xml {
  const inner = typeof content === 'object' ? content.map(({ xml }) => xml).join('') : escapeText(String(content));
  return { xml: `<${name}>${inner}</${name}>` };
}

/** A document with S3's namespace, which some clients insist on; errors have none. */
export function s3Document(name: string, content: string | readonly Xml[]): string {
  const inner = element(name, content).xml;
  return xmlDocument({ xml: `<${name} xmlns="${namespace}"${inner.slice(name.length + 1)}` });
}

/** A document of one element. */
export function xmlDocument({ xml }: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
}

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Control characters become references, as S3 writes them: a bare carriage return would be read as a line feed. */
function escapeText(text: string): string {
  return text.replace(
    /[&<>"'\u0000-\u001f\u007f\ufffe\uffff]/g,
    (character) => named[character] ?? `&#${character.charCodeAt(0)};`,
  );
}

/** An element that was read: its elements by name. Texts are as they were sent. */
export type XmlNode = { readonly [name: string]: ReadonlyArray<XmlNode | string> | undefined };

/** Entities of a document type are never expanded, and a document with one is refused: S3's clients send none. */
const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: () => true,
});

/**
 * What is read in one go, in characters: the parser takes a good second for a million of them, and nobody else is
 * served meanwhile.
 */
const maxAtOnce = 40_000;

/** A list that has items for so many characters is read in several goes. */
const usualAtOnce = 20_000;

/** What may stand around the items of a list, which is read with each go. */
const maxAround = 2_000;

/**
 * Reads an XML body whose root has this name.
 *
 * @throws MalformedXML
 */
export function readXml(text: string, root: string): XmlNode {
  const plain = text.replace(/^\ufeff/, '');
  if (plain.length > maxAtOnce)
    throw new S3Refusal('MalformedXML', { message: 'The XML is longer than this request can need.' });
  // Text in CDATA would be taken for text with entities; S3's clients send none.
  if (/<!(DOCTYPE|ENTITY|\[CDATA\[)/i.test(plain) || XMLValidator.validate(plain) !== true)
    throw new S3Refusal('MalformedXML');
  let found: unknown;
  try {
    found = (parser.parse(plain) as XmlNode)[root];
  } catch {
    throw new S3Refusal('MalformedXML');
  }
  const [node, ...others] = Array.isArray(found) ? (found as Array<XmlNode | string>) : [];
  if (node === undefined || others.length > 0) throw new S3Refusal('MalformedXML');
  return typeof node === 'string' ? {} : node;
}

/** A body of XML that is a list. */
export interface XmlList {
  readonly root: string;
  /** The name of the elements that there may be many of. */
  readonly item: string;
  readonly maxItems: number;
}

/**
 * Reads an XML body that may hold many items, some of them at a time, each time within what stands around them all.
 * Others have their turn in between.
 *
 * @throws MalformedXML also for more items than there may be
 */
export async function readXmlList(text: string, { root, item, maxItems }: XmlList): Promise<XmlNode> {
  const ends: number[] = [];
  for (const { index, 0: tag } of text.matchAll(new RegExp(`</(?:[\\w.-]+:)?${item}\\s*>`, 'g'))) {
    if (ends.push(index + tag.length) > maxItems)
      throw new S3Refusal('MalformedXML', { message: `The list may have ${maxItems} items.` });
  }
  if (text.length <= usualAtOnce) return readXml(text, root);
  const start = text.search(new RegExp(`<(?:[\\w.-]+:)?${item}[\\s>]`));
  const [before, behind] = [text.slice(0, Math.max(start, 0)), text.slice(ends.at(-1) ?? 0)];
  // Within a comment an item could be none; in a list of this length S3's clients send none.
  if (start === -1 || text.includes('<!') || before.length + behind.length > maxAround)
    throw new S3Refusal('MalformedXML');
  const items: Array<XmlNode | string> = [];
  let around: XmlNode = {};
  for (const piece of piecesOf(text, start, ends)) {
    const node = readXml(before + piece + behind, root);
    for (const one of node[item] ?? []) items.push(one);
    around = { ...around, ...node };
    await nextTurn();
  }
  return { ...around, [item]: items };
}

/** As many items at a time as make a go. */
function* piecesOf(text: string, start: number, ends: readonly number[]): Generator<string> {
  let from = start;
  for (const [at, end] of ends.entries()) {
    const next = ends[at + 1];
    if (next !== undefined && next - from <= usualAtOnce) continue;
    yield text.slice(from, end);
    from = end;
  }
}

/** The elements of a name, each with elements in it. @throws MalformedXML when one has text instead */
export function nodesIn(node: XmlNode, name: string): XmlNode[] {
  return (node[name] ?? []).map((one) => {
    if (typeof one === 'string') throw new S3Refusal('MalformedXML');
    return one;
  });
}

/**
 * The text of the one element of a name; undefined when there is none. @throws MalformedXML when there are several, or
 * it is no text
 */
export function textIn(node: XmlNode, name: string): string | undefined {
  const [text, ...others] = node[name] ?? [];
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || others.length > 0) throw new S3Refusal('MalformedXML');
  return unescapeText(text);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five entities that XML itself has, and characters by number; the parser expands none. */
function unescapeText(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new S3Refusal('MalformedXML');
    return String.fromCodePoint(code);
  });
}
