/**
 * JSON texts of at most `maxBytes` that cost a naive reader, validator or matcher the most, keyed by the kind of
 * attack.
 */
export function nastyBodies(maxBytes: number): Map<string, string> {
  const filled = (head: string, unit: string, tail: string) =>
    head + unit.repeat(Math.floor((maxBytes - head.length - tail.length) / unit.length)) + tail;
  const listed = (bytes: number, unitBytes: number, unit: (number: number) => string) =>
    Array.from({ length: Math.floor(bytes / unitBytes) }, (_, number) => unit(number)).join(',');
  return new Map([
    ['an array of numbers where ids belong', filled('{"objects":[', '1,', '1]}')],
    ['an array of empty texts', filled('{"objects":[', '"",', '""]}')],
    ['an array of empty objects', filled('{"objects":[', '{},', '{}]}')],
    [
      'an array of distinct ids',
      `{"objects":[${listed(maxBytes - 20, 30, (number) => `"pub/${String(number).padStart(18, '0')}/a.b"`)}]}`,
    ],
    ['a single id', filled('{"object":"pub/', 'a/', '"}')],
    ['a single id of escapes', filled('{"object":"', '\\u0041', '"}')],
    ['a single id of surrogate pairs', filled('{"object":"', '\u{1F600}'.replace(/./gu, '\\ud83d\\ude00'), '"}')],
    ['as many keys as fit', `{${listed(maxBytes - 2, 12, (number) => `"${number.toString(36).padStart(6, 'k')}":0`)}}`],
    ['brackets alone', filled('', '[', '')],
    ['brackets in brackets, never too deep', filled('[', '[[[[[[[]]]]]]],', '[]]')],
    ['nothing but blanks', filled('', ' ', '')],
    ['one long number', filled('{"object":', '9', '}')],
    ['backslashes that never end', filled('{"object":"', '\\\\', '')],
    ['the same key again and again', filled('{', '"objects":["a","b"],', '"objects":[]}')],
  ]);
}

/** Git push payloads of at most `maxBytes` that cost the most, keyed by the kind of attack. */
export function nastyPayloads(maxBytes: number): Map<string, string> {
  const commit = 'b'.repeat(40);
  const head = `{"ref":"refs/heads/main","before":"${'a'.repeat(40)}","after":"${commit}",`;
  const filled = (begin: string, unit: (number: number) => string, end: string) => {
    const units: string[] = [];
    for (let left = maxBytes - begin.length - end.length; ;) {
      const next = unit(units.length);
      left -= next.length + 1;
      if (left < 0) return begin + units.join(',') + end;
      units.push(next);
    }
  };
  const names = (number: number) => Array.from({ length: 20 }, (_, name) => `"name_${number}_${name}":1`).join(',');
  const message = `${head}"head_commit":{"id":"${commit}","message":"`;
  return new Map([
    ['objects of which each has other names', filled(`${head}"x":[`, (number) => `{${names(number)}}`, ']}')],
    ['numbers that nobody reads', filled(`${head}"x":[`, () => '1', ']}')],
    ['numbers where commits belong', filled(`${head}"commits":[`, () => '1', ']}')],
    [
      'as many commits as fit',
      filled(`${head}"commits":[`, (number) => `{"id":"${commit}","message":"${number}"}`, ']}'),
    ],
    ['a message of escapes', `${message}${'\\u00e9'.repeat(Math.floor((maxBytes - message.length - 3) / 6))}"}}`],
  ]);
}
