import type { Body, Part } from '../draft.ts';
import type { Random } from '../random.ts';
import { bytesOf } from './compose.ts';
import { nastyText, nastyValue } from './nasty.ts';

/** A broken body, and what is broken. */
export interface BrokenBody {
  readonly body: Body | undefined;
  readonly what: string;
}

/** Breaks a body in a way that fits its kind. */
export function breakBody(body: Body, random: Random): BrokenBody {
  if (random.chance(0.08)) return { body: undefined, what: 'no body' };
  switch (body.kind) {
    case 'json':
      return random.chance(0.6) ? changeValue(body.value, random) : changeText(body, random);
    case 'form':
      return changeForm(body.fields, random);
    case 'multipart':
      return random.chance(0.5) ? changeParts(body.parts, random) : changeMultipartBytes(body, random);
    case 'bytes':
      return changeBytes(body, random);
  }
}

/** Replaces, removes or adds a value at any depth. */
function changeValue(value: unknown, random: Random): BrokenBody {
  const places = placesOf(value, []);
  const place = random.pick(places);
  const name = `/${place.join('/')}`;
  const kind = random.pick(['replace', 'replace', 'replace', 'remove', 'add']);
  const changed =
    kind === 'add'
      ? withAdded(value, place, random)
      : changedAt(value, place, kind === 'remove' ? undefined : nastyValue(random));
  return { body: { kind: 'json', value: changed }, what: `json ${kind} ${name.replace(/\d+/g, '*')}` };
}

function placesOf(value: unknown, at: readonly string[]): Array<readonly string[]> {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))];
}

function changedAt(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((inner, at) => (String(at) === step ? changedAt(inner, rest, by) : (inner as unknown)));
  const entries = Object.entries(value as object).map(([key, inner]) => [
    key,
    key === step ? changedAt(inner, rest, by) : inner,
  ]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

function withAdded(value: unknown, place: readonly string[], random: Random): unknown {
  const inner = place.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], value);
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
    return { ...(value as object), unknown_field: nastyValue(random) };
  return changedAt(value, place, { ...inner, [nastyText(random)]: nastyValue(random) });
}

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** Ways to break JSON as text. */
const textChanges: Readonly<Record<string, (text: string, random: Random) => Buffer>> = {
  truncated: (text, random) => Buffer.from(text.slice(0, random.below(text.length))),
  empty: () => Buffer.alloc(0),
  'white space': () => Buffer.from(' \n'),
  'byte order mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16': (text) => Buffer.from(text, 'utf16le'),
  'not utf-8': (text) =>
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), Buffer.from('}')]),
  'duplicate keys': (text) => Buffer.from(text.replace(/^\{("[^"]*":)/, '{$1null,$1')),
  deep: (_text, random) => Buffer.from(nest(random.pick([31, 33, 1000, 20_000]))),
  'deep inside': (text, random) => Buffer.from(text.replace(/^\{/, `{"x":${nest(random.pick([31, 100, 5000]))},`)),
  'proto key': (text) =>
    Buffer.from(text.replace(/^\{/, '{"__proto__":{"object":"x"},"constructor":{"prototype":{}},')),
  'trailing comma': (text) => Buffer.from(text.replace(/\}$/, ',}')),
  comment: (text) => Buffer.from(`/* */${text}`),
  'two values': (text) => Buffer.from(`${text}${text}`),
  'huge number': (text) => Buffer.from(text.replace(/:(\d+|"[^"]*")/, `:${'9'.repeat(400)}`)),
  'huge exponent': (text) => Buffer.from(text.replace(/:(\d+|"[^"]*")/, ':1e400')),
  nan: (text) => Buffer.from(text.replace(/:(\d+|"[^"]*")/, ':NaN')),
  'nul byte': (text) => Buffer.from(text.replace(/[a-z]/, '\0')),
  'lone surrogate': (text) => Buffer.from(text.replace(/:"/, ':"\\ud83d')),
  'long text': (text, random) => Buffer.from(text.replace(/:"[^"]*"/, `:"${'x'.repeat(random.pick([3000, 70_000]))}"`)),
  'too large': (text) => Buffer.from(text.replace(/^\{/, `{"x":"${'x'.repeat(1_100_000)}",`)),
  'many values': (text) => Buffer.from(text.replace(/^\{/, `{"x":[${'0,'.repeat(60_000)}0],`)),
  'other type': (_text, random) => Buffer.from(random.pick(['null', 'true', '"text"', '1', '[]', '[{}]', '-'])),
};

function changeText(body: Body, random: Random): BrokenBody {
  const [what, change] = random.pick(Object.entries(textChanges));
  const bytes = change(bytesOf(body).toString(), random);
  return { body: { kind: 'bytes', bytes, type: 'application/json' }, what: `json ${what}` };
}

function changeForm(fields: ReadonlyArray<readonly [string, string]>, random: Random): BrokenBody {
  const at = random.below(Math.max(1, fields.length));
  const kind = random.pick(['value', 'value', 'remove', 'twice', 'many', 'raw']);
  const type = 'application/x-www-form-urlencoded';
  if (kind === 'raw') {
    const ends = ['&', '&&&', '%', '&=%zz', '&a[b]=c', '\0', '&%ED%A0%80=1', ';a=b', '&__proto__=x'];
    const text = `${bytesOf({ kind: 'form', fields }).toString()}${random.pick(ends)}`;
    return { body: { kind: 'bytes', bytes: Buffer.from(text), type }, what: 'form raw' };
  }
  if (kind === 'many') {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => `f${index}=1`).join('&'));
    return { body: { kind: 'bytes', bytes, type }, what: 'form many' };
  }
  const changed = fields.flatMap(([name, value], index): Array<readonly [string, string]> => {
    if (index !== at) return [[name, value]];
    if (kind === 'remove') return [];
    return kind === 'twice'
      ? [
          [name, value],
          [name, 'other'],
        ]
      : [[name, nastyText(random)]];
  });
  return { body: { kind: 'form', fields: changed }, what: `form ${kind} ${fields[at]?.[0]}` };
}

function changeParts(parts: readonly Part[], random: Random): BrokenBody {
  const [first, ...others] = parts as [Part, ...Part[]];
  const kinds: Readonly<Record<string, () => readonly Part[]>> = {
    'no part': () => [],
    'two files': () => [...parts, parts.at(-1)!],
    'other name': () => [...parts.slice(0, -1), { ...parts.at(-1)!, name: nastyText(random) }],
    'other filename': () => [
      ...parts.slice(0, -1),
      { ...parts.at(-1)!, filename: nastyText(random).replaceAll(/[\r\n]/g, '') },
    ],
    'no filename': () => [...parts.slice(0, -1), { name: 'file', content: parts.at(-1)!.content }],
    'other type': () => [
      ...parts.slice(0, -1),
      { ...parts.at(-1)!, type: nastyText(random).replaceAll(/[\r\n]/g, '') },
    ],
    'field before': () => [{ name: 'x', content: Buffer.from('y') }, ...parts],
    'field after': () => [...parts, { name: 'x', content: Buffer.from('y') }],
    'empty file': () => [...parts.slice(0, -1), { ...parts.at(-1)!, content: Buffer.alloc(0) }],
    'small file': () => [...parts.slice(0, -1), { ...parts.at(-1)!, content: Buffer.alloc(511) }],
    'other first value': () => [{ ...first, content: Buffer.from(nastyText(random)) }, ...others],
    'many fields': () => [
      ...Array.from({ length: 200 }, (_, at) => ({ name: `f${at}`, content: Buffer.alloc(1) })),
      ...parts,
    ],
  };
  const [what, make] = random.pick(Object.entries(kinds));
  return { body: { kind: 'multipart', parts: make() }, what: `multipart ${what}` };
}

function changeMultipartBytes(body: Body, random: Random): BrokenBody {
  const whole = bytesOf(body);
  const text = whole.toString('latin1');
  const boundary = text.slice(2, text.indexOf('\r\n'));
  const kinds: Readonly<Record<string, () => string>> = {
    truncated: () => text.slice(0, random.below(text.length)),
    'no end': () => text.slice(0, -4),
    'other boundary': () => text.replaceAll(boundary, 'other'),
    'bare lf': () => text.replaceAll('\r\n', '\n'),
    preamble: () => `preamble\r\n${text}epilogue`,
    'large head': () => text.replace('Content-Disposition', `X-Large: ${'x'.repeat(20_000)}\r\nContent-Disposition`),
    'no disposition': () => text.replace(/Content-Disposition.*\r\n/, ''),
    'odd disposition': () =>
      text.replace(
        'form-data;',
        random.pick(['attachment;', 'form-data', ';;', "form-data; filename*=utf-8''%zz;", 'form-data; name="file";']),
      ),
    'nul in name': () => text.replace('name="', 'name="\0'),
    'transfer encoding': () =>
      text.replace('Content-Disposition', 'Content-Transfer-Encoding: base64\r\nContent-Disposition'),
  };
  const [what, make] = random.pick(Object.entries(kinds));
  const type = `multipart/form-data; boundary=${random.chance(0.15) ? '"' : ''}${boundary}`;
  return { body: { kind: 'bytes', bytes: Buffer.from(make(), 'latin1'), type }, what: `multipart ${what}` };
}

function changeBytes({ bytes, type }: Extract<Body, { kind: 'bytes' }>, random: Random): BrokenBody {
  const kinds: Readonly<Record<string, () => Buffer>> = {
    empty: () => Buffer.alloc(0),
    truncated: () => bytes.subarray(0, random.below(Math.max(1, bytes.length))),
    longer: () => Buffer.concat([bytes, bytes]),
    noise: () => Buffer.from(random.bytes(random.between(1, 600))),
    'a bit': () => {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed[random.below(changed.length)]! ^= 1 << random.below(8);
      return changed;
    },
    'odd xml': () =>
      Buffer.from(
        random.pick([
          '<',
          '<a>',
          '<a></b>',
          '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
          `${'<a>'.repeat(3000)}`,
          '<Delete/>',
          '<Delete><Object/></Delete>',
          '<CompleteMultipartUpload><Part><PartNumber>0</PartNumber></Part></CompleteMultipartUpload>',
          '<?xml version="1.0" encoding="utf-16"?><a/>',
          '<Tagging>\0</Tagging>',
        ]),
      ),
  };
  const [what, make] = random.pick(Object.entries(kinds));
  return { body: { kind: 'bytes', bytes: make(), type }, what: `bytes ${what}` };
}
