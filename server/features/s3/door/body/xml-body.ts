import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';

import type * as fastXmlParser from 'fast-xml-parser';

import { nextTurn } from '#server/event-loop.ts';
import { maxXmlBytes } from '../../limits.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { GatheredBytes } from '#server/http/whole-body.ts';
import type { S3Context } from '../context.ts';
import type { ChecksummedBytes } from './checked-body.ts';

/**
 * Reads a whole body of XML, which `checkedBody()` or `trailerCheckedBody()` returns.
 *
 * @throws MalformedXML for more than 4 MiB or other text than UTF-8, and the refusal that the bytes end in
 * @throws {BodyError} `no-memory`
 */
export async function textOf({ hold }: Pick<S3Context, 'hold'>, { bytes }: Pick<ChecksummedBytes, 'bytes'>) {
  const given = hold();
  const gathered = new GatheredBytes(given);
  for await (const chunk of bytes) {
    if (gathered.sizeBytes + chunk.length > maxXmlBytes)
      throw new S3Refusal('MalformedXML', { message: `The body can have at most ${maxXmlBytes} bytes.` });
    gathered.add(Buffer.from(chunk)); // copied, because the next chunk ends this one
  }
  given.complete();
  const whole = gathered.bytes;
  if (!isUtf8(whole)) throw new S3Refusal('MalformedXML', { message: 'The body is not UTF-8.' });
  return whole.toString();
}

/** An element that was read: its child elements by name. Texts are kept as they were sent. */
export type XmlNode = { readonly [name: string]: ReadonlyArray<XmlNode | string> | undefined };

let loaded: ReturnType<typeof loadParser> | undefined;

/** Loads the package. It is loaded for the first body, because most servers never get one. */
function loadParser() {
  const { XMLParser, XMLValidator }: typeof fastXmlParser = createRequire(import.meta.url)('fast-xml-parser');
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
  return { parser, validate: XMLValidator.validate };
}

/**
 * The most characters that are parsed in one go. A million of them take a second, in which no other request is served.
 */
const maxAtOnce = 40_000;

/** A longer list is parsed in pieces of about this many characters. */
const usualAtOnce = 20_000;

/** The most characters around the items of a list. They are parsed again with each piece. */
const maxAround = 2_000;

/**
 * Parses a document with this root element.
 *
 * @throws MalformedXML
 */
export function readXml(text: string, root: string): XmlNode {
  const plain = text.replace(/^\ufeff/, '');
  if (plain.length > maxAtOnce)
    throw new S3Refusal('MalformedXML', { message: 'The XML is longer than this request can need.' });
  // S3's clients send neither a document type nor CDATA. Entities are never expanded, and the parser does not mark
  // CDATA, so that textIn() would unescape it.
  if (/<!(DOCTYPE|ENTITY|\[CDATA\[)/i.test(plain))
    throw malformed('It has a document type, an entity or CDATA, and no request needs one.');
  const { parser, validate } = (loaded ??= loadParser());
  const validity = validate(plain);
  if (validity !== true) throw malformed(`It is not well-formed at line ${validity.err.line}.`);
  let found: unknown;
  try {
    found = (parser.parse(plain) as XmlNode)[root];
  } catch {
    throw malformed('It is not well-formed.');
  }
  const [node, ...others] = Array.isArray(found) ? (found as Array<XmlNode | string>) : [];
  if (node === undefined || others.length > 0) throw malformed(`Its root element must be ${root}.`);
  return typeof node === 'string' ? {} : node;
}

/** A document that is a list. */
interface XmlList {
  readonly root: string;
  /** The name of the repeated element. */
  readonly item: string;
  readonly maxItems: number;
}

/**
 * Parses a document that may hold many items, piece by piece. Each piece is parsed with the text around the items, and
 * other requests are served between two pieces.
 *
 * @throws MalformedXML also for more than `maxItems` items
 */
export async function readXmlList(text: string, { root, item, maxItems }: XmlList): Promise<XmlNode> {
  const ends: number[] = [];
  for (const { index, 0: tag } of text.matchAll(new RegExp(`</(?:[\\w.-]+:)?${item}\\s*>`, 'g'))) {
    if (ends.push(index + tag.length) > maxItems)
      throw new S3Refusal('MalformedXML', { message: `The list can have at most ${maxItems} items.` });
  }
  if (text.length <= usualAtOnce) return readXml(text, root);
  const start = text.search(new RegExp(`<(?:[\\w.-]+:)?${item}[\\s>]`));
  const [before, after] = [text.slice(0, Math.max(start, 0)), text.slice(ends.at(-1) ?? 0)];
  // An item within a comment is no item. S3's clients send no comments in long lists.
  if (start === -1 || text.includes('<!') || before.length + after.length > maxAround)
    throw malformed(`It must be a list of ${item}, without comments and with little around it.`);
  const items: Array<XmlNode | string> = [];
  let around: XmlNode = {};
  for (const piece of piecesOf(text, start, ends)) {
    const node = readXml(before + piece + after, root);
    for (const one of node[item] ?? []) items.push(one);
    around = { ...around, ...node };
    await nextTurn();
  }
  return { ...around, [item]: items };
}

/** Cuts the items into pieces of about `usualAtOnce` characters, each of whole items. */
function* piecesOf(text: string, start: number, ends: readonly number[]): Generator<string> {
  let from = start;
  for (const [at, end] of ends.entries()) {
    const next = ends[at + 1];
    if (next !== undefined && next - from <= usualAtOnce) continue;
    yield text.slice(from, end);
    from = end;
  }
}

/** Returns the child elements of a name. @throws MalformedXML when one of them holds text */
export function nodesIn(node: XmlNode, name: string): XmlNode[] {
  return (node[name] ?? []).map((one) => {
    if (typeof one === 'string') throw malformed(`The element ${name} must have elements in it, and no text.`);
    return one;
  });
}

/**
 * Returns the text of the only child element of a name, or undefined when there is none.
 *
 * @throws MalformedXML when there are several, or it holds elements
 */
export function textIn(node: XmlNode, name: string): string | undefined {
  const [text, ...others] = node[name] ?? [];
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || others.length > 0)
    throw malformed(`The element ${name} can be there once, with text alone in it.`);
  return unescapeText(text);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Replaces XML's own five entities and references by number. */
function unescapeText(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw malformed(`The reference ${whole} names no character.`);
    return String.fromCodePoint(code);
  });
}

function malformed(reason: string): S3Refusal {
  return new S3Refusal('MalformedXML', { message: `The XML of the body cannot be read. ${reason}` });
}
