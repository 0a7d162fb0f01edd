import { describe, expect, test } from 'vitest';

import { nodesIn, readXml, readXmlList, textIn } from '#server/features/s3/door/body/xml-body.ts';
import { s3Document, xmlDocument } from '#server/features/s3/door/xml.ts';
import type { S3Refusal } from '#server/features/s3/s3-refusal.ts';

const isMalformed = expect.objectContaining({ code: 'MalformedXML' });

describe('readXml()', () => {
  test('reads texts without trimming or conversion to numbers, and decodes the predefined entities', () => {
    const root = readXml(
      '<?xml version="1.0"?>\n<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key> 007 ' +
        '&amp;amp; &#x26;&lt;b&gt; </Key></Object><Object><Key>1e3</Key></Object></Delete>',
      'Delete',
    );
    expect(nodesIn(root, 'Object').map((node) => textIn(node, 'Key'))).toEqual([' 007 &amp; &<b> ', '1e3']);
  });

  test.each([
    ['a custom entity', '<!DOCTYPE a [<!ENTITY x "y">]><Delete><Object><Key>&x;</Key></Object></Delete>'],
    ['entities that grow', '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><Delete>&b;</Delete>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Delete>&x;</Delete>'],
    ['another root', '<Other></Other>'],
    ['two roots', '<Delete></Delete><Delete></Delete>'],
    ['no end', '<Delete><Object>'],
    ['CDATA, which would be read as another key', '<Delete><Object><Key><![CDATA[a&amp;b]]></Key></Object></Delete>'],
    ['too many elements', `<Delete>${'<a/>'.repeat(100_000)}</Delete>`],
    ['too many entities', `<Delete><Object><Key>${'&amp;'.repeat(100_000)}</Key></Object></Delete>`],
    ['not XML', 'hello'],
    ['an empty text', ''],
  ])('%s is MalformedXML', (_name, text) => {
    let code = 'taken';
    try {
      readXml(text, 'Delete');
    } catch (error) {
      ({ code } = error as S3Refusal);
    }
    expect(code).toBe('MalformedXML');
  });

  test('half a character is MalformedXML', () => {
    for (const code of ['&#xD800;', '&#57343;', '&#0;'])
      expect(() => textIn(readXml(`<a><Key>${code}</Key></a>`, 'a'), 'Key'), code).toThrow(isMalformed);
  });

  test('an element instead of a text is MalformedXML', () => {
    expect(() => textIn(readXml('<a><Key><b>1</b></Key></a>', 'a'), 'Key')).toThrow(isMalformed);
    expect(() => textIn(readXml('<a><Key>1</Key><Key>2</Key></a>', 'a'), 'Key')).toThrow(isMalformed);
    expect(() => nodesIn(readXml('<a><Object>text</Object></a>', 'a'), 'Object')).toThrow(isMalformed);
  });

  test('the name of a property of every object is not found as an element', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(() => textIn(readXml(`<a><${name}>1</${name}></a>`, 'a'), 'Key') ?? 'no key', name).not.toThrow(TypeError);
    expect(() => readXml('<a></a>', 'toString')).toThrow(isMalformed);
  });
});

describe('readXmlList()', () => {
  const list = { root: 'Delete', item: 'Object', maxItems: 1000 };
  const keys = Array.from({ length: 1000 }, (_, at) => `${'key '.repeat(30)}${at}`);
  const item = (key: string, prefix = '') =>
    `<${prefix}Object>\n<${prefix}Key>${key}</${prefix}Key></${prefix}Object >`;
  const keysIn = async (text: string) =>
    nodesIn(await readXmlList(text, list), 'Object').map((node) => textIn(node, 'Key'));

  test('reads a short list, and a long one in pieces, in order and with the elements around the items', async () => {
    for (const some of [keys.slice(0, 3), keys]) {
      const text =
        '<?xml version="1.0"?><Delete ' +
        `xmlns="x">${some.map((key) => item(key)).join('\n')}<Quiet>true</Quiet></Delete>`;
      expect(await keysIn(text)).toEqual(some);
      expect(textIn(await readXmlList(text, list), 'Quiet')).toBe('true');
      expect(
        await keysIn(`\ufeff<s:Delete xmlns:s="x">${some.map((key) => item(key, 's:')).join('')}</s:Delete>`),
      ).toEqual(some);
    }
  });

  test('finds an element between the items of a long list', async () => {
    const text = `<Delete>${keys
      .slice(0, 990)
      .map((key) => item(key))
      .join('')}<Quiet>true</Quiet>${keys
      .slice(990)
      .map((key) => item(key))
      .join('')}</Delete>`;
    expect(textIn(await readXmlList(text, list), 'Quiet')).toBe('true');
  });

  const many = keys.map((key) => item(key)).join('');
  test.each([
    ['more items than allowed', `<Delete>${'<Object/>'.repeat(5)}${'<Object></Object>'.repeat(1001)}</Delete>`],
    ['another root', `<Other>${many}</Other>`],
    ['no end', `<Delete>${many}`],
    ['an item that does not end', `<Delete>${many}<Object></Delete>`],
    ['an item that ends twice', `<Delete>${many}</Object></Delete>`],
    ['items in a comment', `<Delete>${many}<!-- ${item('hidden')} --></Delete>`],
    ['an item that is too long', `<Delete>${many}${item('a'.repeat(100_000))}</Delete>`],
    ['much text around the items', `<Delete a="${'a'.repeat(5_000)}">${many}</Delete>`],
    ['many elements that are not items', `<Delete>${'<a></a>'.repeat(10_000)}</Delete>`],
    ['items in another element', `<Delete><Inner>${many}</Inner><Object></Object>${' '.repeat(30_000)}</Delete>`],
  ])('%s is MalformedXML', async (_name, text) => {
    await expect(readXmlList(text, list)).rejects.toMatchObject({ code: 'MalformedXML' });
  });

  test('does not block the event loop', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await keysIn(`<Delete>${many}</Delete>`);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('xmlDocument()', () => {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

  test('escapes characters that would end a text, and characters that XML parsers change', () => {
    expect(xmlDocument({ Key: `<a>&"'\r\u0001` })).toBe(`${declaration}<Key>&lt;a&gt;&amp;&quot;&apos;&#13;&#1;</Key>`);
  });

  test('writes elements in their order, repeats one for each item of a list, and leaves undefined out', () => {
    expect(xmlDocument({ List: { B: 1, A: undefined, Item: ['x', { Y: false }], Empty: '', None: [] } })).toBe(
      `${declaration}<List><B>1</B><Item>x</Item><Item><Y>false</Y></Item><Empty></Empty></List>`,
    );
  });

  test('writes the attributes behind a name once', () => {
    expect(xmlDocument({ 'A b="c"': 1 })).toBe(`${declaration}<A b="c">1</A>`);
  });
});

describe('s3Document()', () => {
  const root = '<?xml version="1.0" encoding="UTF-8"?>\n<A xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';

  test.each([
    ['a text', 'x', 'x'],
    ['elements', { B: 1 }, '<B>1</B>'],
    ['lists of elements, in their order', [{ B: 1 }, {}, { C: 2 }, { B: 3 }], '<B>1</B><C>2</C><B>3</B>'],
  ])("puts S3's namespace around %s", (_name, content, inner) =>
    expect(s3Document('A', content)).toBe(`${root}${inner}</A>`),
  );

  test('writes a long list in UTF-8', () => {
    const items = Array.from({ length: 5_000 }, (_, number) => ({ Key: `${'é😀<'.repeat(number % 7)}${number}` }));
    const inner = items.map(({ Key }) => `<Item><Key>${Key.replaceAll('<', '&lt;')}</Key></Item>`).join('');
    expect(String(s3Document('A', { Item: items }))).toBe(`${root}${inner}</A>`);
  });
});
