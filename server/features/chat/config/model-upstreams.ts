import type { FileTable, TextRule } from '#server/config/file-table.ts';
import { anyModel, type ConfiguredUpstream } from './upstream.ts';
import { plainAddress } from '#server/config/values.ts';

/** A server that shares the requests for a model with others. */
export interface SharingUpstream extends ConfiguredUpstream {
  /** Its name in logs and metrics. The same address, model and key have the same one everywhere. */
  readonly name: string;
  /** Requests go first to the servers with the lowest number. Those with the same number share them. */
  readonly order: number;
  /** Its share of the requests, beside those of the others. */
  readonly weight: number;
}

/** Where the keys of a file come from. */
export interface KeySources {
  /** Returns a variable of the environment; undefined if it is not set. */
  variable(name: string): string | undefined;
  /** Returns the text of a file. @throws the error of the system */
  file(path: string): string;
}

const addressExample = 'an http or https address such as http://127.0.0.1:11434/v1, without "?" and "#"';

const urlRule: TextRule = { mustBe: addressExample, isAllowed: (value) => value !== '' };

const modelRule: TextRule = {
  mustBe: '1 to 256 printable characters',
  isAllowed: (value) => /^[^\p{C}]{1,256}$/u.test(value),
  isShown: true,
};

const nameRule: TextRule = {
  mustBe: '1 to 64 lower-case letters, digits and the signs . _ : -, such as gpu-1',
  isAllowed: (value) => /^[a-z0-9._:-]{1,64}$/.test(value),
  isShown: true,
};

const structuredOutputRule: TextRule = {
  mustBe: '"function", or left out for a server that takes response_format, or rejects it',
  isAllowed: (value) => value === 'function',
  isShown: true,
};

/** A variable of Cubby may be a secret that no server must get. */
const variableRule: TextRule = {
  mustBe: 'the name of a variable such as OPENAI_API_KEY, which does not begin with CUBBY_',
  isAllowed: (value) => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(value) && !/^CUBBY_/i.test(value),
};

const fileRule: TextRule = {
  mustBe: 'the path of a file with the key, from the folder of this file',
  isAllowed: (value) => /^[^\p{Cc}]{1,4096}$/u.test(value),
};

interface NamedTable {
  readonly table: FileTable;
  readonly name: string | undefined;
}

interface ReadUpstream extends Omit<SharingUpstream, 'name'> {
  readonly table: FileTable;
  /** Its name in the file. */
  readonly given: string | undefined;
  /** Its name otherwise, such as `small/1`. */
  readonly standard: string;
}

/** Reads the upstreams of all models. The same address, model and key is one server, with one name. */
export function upstreamsOf(models: readonly NamedTable[], keys: KeySources): SharingUpstream[][] {
  const read = models.map(({ table, name }) =>
    table
      .tables('upstreams', 32)
      .flatMap((upstream, at) => upstreamOf(upstream, `${name ?? table.place}/${at + 1}`, keys) ?? []),
  );
  const names = namesOf(read.flat());
  for (const upstreams of read) refuseTwice(upstreams);
  return read.map((upstreams) =>
    upstreams.map((upstream) => {
      const { url, key, model, order, weight, asksByFunction = false, standard } = upstream;
      const name = names.get(identityOf(upstream)) ?? standard;
      return { name, url, key, model, order, weight, ...(asksByFunction && { asksByFunction }) };
    }),
  );
}

/** Returns a text that is the same for a server that gets the same requests. It contains the key. */
export function identityOf({ url, model, key, asksByFunction = false }: ConfiguredUpstream): string {
  return JSON.stringify([url, model, key ?? null, asksByFunction]);
}

function upstreamOf(table: FileTable, standard: string, keys: KeySources): ReadUpstream | undefined {
  const given = table.text('name', nameRule);
  const url = addressOf(table);
  const model = table.has('model') ? table.text('model', modelRule) : anyModel;
  const key = keyOf(table, keys);
  const order = table.wholeNumber('order', 1, 100);
  const weight = table.wholeNumber('weight', 1, 1000);
  const asksByFunction = table.text('structured_output', structuredOutputRule) !== undefined;
  table.refuseOthers(['name', 'url', 'model', 'key_env', 'key_file', 'order', 'weight', 'structured_output'], {
    key: 'must not be in this file. Name a variable with key_env, or a file with key_file.',
  });
  // Whether two servers are the same is known only for those without a problem.
  if (url === undefined || model === undefined || key === 'unknown') return undefined;
  return { table, given, standard, url, model, key: key?.text, order, weight, asksByFunction };
}

function addressOf(table: FileTable): string | undefined {
  const value = table.requiredText('url', urlRule);
  if (value === undefined) return undefined;
  const address = plainAddress(value);
  if (typeof address === 'string') return address;
  table.refuse(
    'url',
    address.hasPassword ? 'carries a user name or a password. Leave them out.' : `must be ${addressExample}.`,
  );
  return undefined;
}

/** Never shows a key, and no message of the system. Returns undefined for a server without a key. */
function keyOf(table: FileTable, keys: KeySources): { readonly text: string } | 'unknown' | undefined {
  const variable = table.text('key_env', variableRule);
  const file = table.text('key_file', fileRule);
  const isFromFile = table.has('key_file');
  if (isFromFile && table.has('key_env')) table.refuse('key_file', 'and key_env are both set. Keep one of them.');
  if (!isFromFile && !table.has('key_env')) return undefined;
  const text = isFromFile ? keyInFile(table, file, keys) : keyInVariable(table, variable, keys);
  if (text === undefined) return 'unknown';
  // A key goes into a header.
  if (/^[\x21-\x7e]{1,4096}$/.test(text)) return { text };
  table.refuse(isFromFile ? 'key_file' : 'key_env', 'must lead to a key: letters, digits and signs without spaces.');
  return 'unknown';
}

function keyInVariable(table: FileTable, name: string | undefined, keys: KeySources): string | undefined {
  const key = name === undefined ? undefined : keys.variable(name);
  if (name !== undefined && key === undefined) table.refuse('key_env', `names the variable ${name}, which is not set.`);
  return key;
}

function keyInFile(table: FileTable, path: string | undefined, keys: KeySources): string | undefined {
  try {
    return path === undefined ? undefined : keys.file(path);
  } catch (error) {
    table.refuse('key_file', `must name a file that can be read (${(error as NodeJS.ErrnoException).code}).`);
    return undefined;
  }
}

/** Returns the name of each server by its identity: the given one, or the standard one of its first place. */
function namesOf(upstreams: readonly ReadUpstream[]): Map<string, string> {
  const given = new Map<string, { readonly name: string; readonly place: string }>();
  const owners = new Map<string, string>();
  for (const upstream of upstreams) {
    const { table, given: name } = upstream;
    if (name === undefined) continue;
    const identity = identityOf(upstream);
    const other = given.get(identity);
    const owner = owners.get(name);
    if (other !== undefined && other.name !== name)
      table.refuse(
        'name',
        `is "${name}", but ${other.place} is the same server, model and key with the name "${other.name}". Give ` +
          'both the same name.',
      );
    else if (owner !== undefined && owner !== identity)
      table.refuse('name', `is "${name}", which another server, model or key already has in this file.`);
    given.set(identity, other ?? { name, place: table.place });
    owners.set(name, owner ?? identity);
  }
  const names = new Map<string, string>();
  for (const upstream of upstreams) {
    const identity = identityOf(upstream);
    if (!names.has(identity)) names.set(identity, given.get(identity)?.name ?? upstream.standard);
  }
  return names;
}

function refuseTwice(upstreams: readonly ReadUpstream[]): void {
  const seen = new Map<string, string>();
  for (const upstream of upstreams) {
    const identity = identityOf(upstream);
    const other = seen.get(identity);
    if (other !== undefined)
      upstream.table.refuse('url', `is the same server, model and key as ${other}. Give that one more weight instead.`);
    else seen.set(identity, upstream.table.place);
  }
}
