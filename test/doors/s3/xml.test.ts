import { describe, expect, test } from 'vitest';

import { element, nodesIn, readXml, s3Document, textIn } from '#server/doors/s3/xml.ts';
import type { S3Refusal } from '#server/domain/s3/s3-refusal.ts';

describe('readXml()', () => {
  test('reads texts as they were sent: no number, no trimming, entities of XML itself', () => {
    const root = readXml('<?xml version="1.0"?>\n<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key> 007 &amp;amp; &#x26;&lt;b&gt; </Key></Object><Object><Key>1e3</Key></Object></Delete>', 'Delete');
    expect(nodesIn(root, 'Object').map((node) => textIn(node, 'Key'))).toEqual([' 007 &amp; &<b> ', '1e3']);
  });

  test.each([
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY x "y">]><Delete><Object><Key>&x;</Key></Object></Delete>'],
    ['entities that grow', '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><Delete>&b;</Delete>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Delete>&x;</Delete>'],
    ['another root', '<Other></Other>'],
    ['two roots', '<Delete></Delete><Delete></Delete>'],
    ['no end', '<Delete><Object>'],
    ['CDATA, which would be read as another key', '<Delete><Object><Key><![CDATA[a&amp;b]]></Key></Object></Delete>'],
    ['more elements than it can need', `<Delete>${'<a/>'.repeat(100_000)}</Delete>`],
    ['more entities than it can need', `<Delete><Object><Key>${'&amp;'.repeat(100_000)}</Key></Object></Delete>`],
    ['no XML', 'hello'],
    ['nothing', ''],
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
    for (const code of ['&#xD800;', '&#57343;', '&#0;']) expect(() => textIn(readXml(`<a><Key>${code}</Key></a>`, 'a'), 'Key'), code).toThrow('MalformedXML');
  });

  test('an element where a text must be is MalformedXML', () => {
    expect(() => textIn(readXml('<a><Key><b>1</b></Key></a>', 'a'), 'Key')).toThrow('MalformedXML');
    expect(() => textIn(readXml('<a><Key>1</Key><Key>2</Key></a>', 'a'), 'Key')).toThrow('MalformedXML');
    expect(() => nodesIn(readXml('<a><Object>text</Object></a>', 'a'), 'Object')).toThrow('MalformedXML');
  });

  test('what is called as a property of every object is no element', () => {
    for (const name of ['constructor', '__proto__', 'toString']) expect(() => textIn(readXml(`<a><${name}>1</${name}></a>`, 'a'), 'Key') ?? 'no key', name).not.toThrow(TypeError);
    expect(() => readXml('<a></a>', 'toString')).toThrow('MalformedXML');
  });
});

describe('element()', () => {
  test('escapes what would end it, and characters that XML would change', () => {
    expect(element('Key', `<a>&"'\r\u0001`).xml).toBe('<Key>&lt;a&gt;&amp;&quot;&apos;&#13;&#1;</Key>');
    expect(s3Document('A', [element('B', 1)])).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<A xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><B>1</B></A>');
  });
});
