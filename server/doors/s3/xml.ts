import type { Reply } from '#server/pipeline/exchange.ts';

/** The content of an element: a text, which is escaped, or other elements. */
export type XmlContent = string | number | boolean | XmlElements | WrittenXml;

/** Elements as text. A list of a thousand files is written faster in pieces than through an object for each file. */
export class WrittenXml {
  readonly xml: string;

  /** @param xml texts in it are escaped already */
  constructor(xml: string) {
    this.xml = xml;
  }
}

/**
 * Elements by name, in this order. A list repeats its element, and `undefined` leaves it out. A name may have
 * attributes behind it, written as in XML.
 */
export interface XmlElements {
  readonly [name: string]: XmlContent | readonly XmlContent[] | undefined;
}

/** Returns a reply of status 200 whose body is a document with S3's namespace. */
export function xmlReply(
  root: string,
  content: XmlContent | readonly XmlElements[],
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status: 200, headers, body: s3Document(root, content) };
}

/** Returns a document with S3's namespace, which some clients insist on. Errors have none. */
export function s3Document(root: string, content: XmlContent | readonly XmlElements[]): string {
  const inner = [content].flat().map(writeContent).join('');
  return `${declaration}<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${root}>`;
}

/** Returns a document without a namespace. */
export function xmlDocument(elements: XmlElements): string {
  return declaration + writeContent(elements);
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Writes the content of an element. Texts are escaped. */
export function writeContent(content: XmlContent): string {
  if (typeof content !== 'object') return escapeText(String(content));
  if (content instanceof WrittenXml) return content.xml;
  let xml = '';
  for (const name in content) {
    const value = content[name];
    if (value === undefined) continue;
    const end = `</${name.split(' ', 1)[0]}>`;
    for (const one of [value].flat()) xml += `<${name}>${writeContent(one)}${end}`;
  }
  return xml;
}

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escaped = /[&<>"'\u0000-\u001f\u007f\ufffe\uffff]/;
const allEscaped = /[&<>"'\u0000-\u001f\u007f\ufffe\uffff]/g;

/** Writes control characters as references, as S3 does: a parser reads a bare carriage return as a line feed. */
function escapeText(text: string): string {
  // Most texts have none of them, and the test is quicker than the replacement.
  if (!escaped.test(text)) return text;
  return text.replace(allEscaped, (character) => named[character] ?? `&#${character.charCodeAt(0)};`);
}
