import type { Reply } from '#server/pipeline/exchange.ts';

/** The content of an element: a text, which is escaped, or other elements. */
type XmlContent = string | number | boolean | XmlElements | WrittenXml;

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

/**
 * Returns a document with S3's namespace, which some clients insist on. Errors have none. A long one is returned in
 * UTF-8.
 */
export function s3Document(root: string, content: XmlContent | readonly XmlElements[]): string | Buffer {
  const document = new XmlText(`${declaration}<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`);
  for (const one of [content].flat()) write(one, document);
  document.add(`</${root}>`);
  return document.whole();
}

/** Returns a document without a namespace. */
export function xmlDocument(elements: XmlElements): string {
  return declaration + writeContent(elements);
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Writes the content of an element. Texts are escaped. */
export function writeContent(content: XmlContent): string {
  if (typeof content !== 'object') return escapeText(String(content));
  const text = new XmlText('');
  write(content, text);
  return text.whole().toString();
}

function write(content: XmlContent, to: XmlText): void {
  if (typeof content !== 'object') return to.add(escapeText(String(content)));
  if (content instanceof WrittenXml) return to.add(content.xml);
  for (const name in content) {
    const value = content[name];
    if (value === undefined) continue;
    const end = `</${name.split(' ', 1)[0]}>`;
    for (const one of Array.isArray(value) ? (value as readonly XmlContent[]) : [value as XmlContent]) {
      to.add(`<${name}>`);
      write(one, to);
      to.add(end);
    }
  }
}

/** A longer text is encoded in pieces of this length. */
const pieceLength = 8192;

/**
 * Gathers a text from many. A long one is encoded while it is gathered, because putting thousands of texts together and
 * then encoding the whole takes twice as long.
 */
class XmlText {
  #text: string;
  readonly #encoded: Buffer[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length < pieceLength) return;
    this.#encoded.push(Buffer.from(this.#text));
    this.#text = '';
  }

  whole(): string | Buffer {
    if (this.#encoded.length === 0) return this.#text;
    return Buffer.concat([...this.#encoded, Buffer.from(this.#text)]);
  }
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
