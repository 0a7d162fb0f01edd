import { describe, expect, it } from 'vitest';

import { parseOrigin } from '#server/features/upload-tokens/origin.ts';

describe('parseOrigin()', () => {
  it.each([
    ['https://app.example', 'https://app.example'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['https://app.example:8443', 'https://app.example:8443'],
    ['https://app.example:443', 'https://app.example'],
    ['http://app.example:80', 'http://app.example'],
    ['http://app.example:443', 'http://app.example:443'],
    ['https://App.EXAMPLE', 'https://app.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://[0:0::1]', 'http://[::1]'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb', 'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb'],
    ['capacitor://localhost', 'capacitor://localhost'],
  ])('reads %s as browsers send it: %s', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
  });

  it.each([
    '',
    '*',
    'null',
    'app.example',
    '//app.example',
    'https:',
    'https://',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example?a',
    'https://app.example#a',
    'https://a@app.example',
    'https://a:b@app.example',
    'https://app.example\\a',
    'https://*',
    'https://*.app.example',
    'https://app.example:99999',
    'https://app.example:x',
    'https://a b',
    ' https://app.example',
    'https://app.example\n',
    'https://app.example\u0000',
    'https://app\u200b.example',
    'https://app\ud800.example',
    'HTTPS://app.example',
    'https://app.example, https://b.example',
    'file://host',
    'file:///',
    'data://a',
    'javascript://a',
    'https://a%2fb',
    'https://[::1',
    'ftp:app.example',
  ])('returns undefined for %j', (text) => {
    expect(parseOrigin(text)).toBeUndefined();
  });
});
