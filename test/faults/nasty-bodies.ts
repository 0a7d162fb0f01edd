/** JSON texts of at most `maxBytes` that cost a naive reader, validator or matcher the most, by what is nasty about them. */
export function nastyBodies(maxBytes: number): Map<string, string> {
  const filled = (head: string, unit: string, tail: string) => head + unit.repeat(Math.floor((maxBytes - head.length - tail.length) / unit.length)) + tail;
  return new Map([
    ['an array of numbers where ids belong', filled('{"objects":[', '1,', '1]}')],
    ['an array of empty texts', filled('{"objects":[', '"",', '""]}')],
    ['an array of empty objects', filled('{"objects":[', '{},', '{}]}')],
    ['an array of distinct ids', `{"objects":[${Array.from({ length: Math.floor((maxBytes - 20) / 30) }, (_, number) => `"pub/${String(number).padStart(18, '0')}/a.b"`).join(',')}]}`],
    ['a single id', filled('{"object":"pub/', 'a/', '"}')],
    ['a single id of escapes', filled('{"object":"', '\\u0041', '"}')],
    ['a single id of surrogate pairs', filled('{"object":"', '\u{1F600}'.replace(/./gu, '\\ud83d\\ude00'), '"}')],
    ['as many keys as fit', `{${Array.from({ length: Math.floor((maxBytes - 2) / 12) }, (_, number) => `"${number.toString(36).padStart(6, 'k')}":0`).join(',')}}`],
    ['brackets alone', filled('', '[', '')],
    ['brackets in brackets, never too deep', filled('[', '[[[[[[[]]]]]]],', '[]]')],
    ['nothing but blanks', filled('', ' ', '')],
    ['one long number', filled('{"object":', '9', '}')],
    ['backslashes that never end', filled('{"object":"', '\\\\', '')],
    ['the same key again and again', filled('{', '"objects":["a","b"],', '"objects":[]}')],
  ]);
}
