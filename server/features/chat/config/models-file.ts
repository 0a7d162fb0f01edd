import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

import type * as toml from 'smol-toml';

import { FileTable, isTable } from '#server/config/file-table.ts';
import { modelsOf, type ConfiguredModels } from './models.ts';
import { FileTooLong, readSmallFile } from '#server/config/small-file.ts';
import type { Reader } from '#server/config/values.ts';

/** The operator's file of models. */
export interface ModelsFile {
  /** Absolute. */
  readonly path: string;
  /** As the file was when the server started. */
  readonly models: ConfiguredModels;
  /** Reads the file again, with the keys that it names. */
  read(): ReadModels;
  /** Returns a text that changes when the file changes, or a key file that it named when it was last read. */
  stamp(): Promise<string>;
}

/** The models of a file, or each of its problems as one line for people. */
type ReadModels = { readonly models: ConfiguredModels } | { readonly problems: readonly string[] };

/** The event loop must not stop while a file is read again. 200 models with two servers each fit. */
const maxFileBytes = 64 * 1024;

/** A key has up to 4096 characters, and editors add line breaks. */
const maxKeyFileBytes = 8 * 1024;

const variable = 'CUBBY_AI_MODELS_FILE';

/** Variables that name the model in another way. */
const others = ['CUBBY_AI_UPSTREAM_URL', 'CUBBY_AI_UPSTREAM_KEY', 'CUBBY_AI_UPSTREAM_MODEL', 'CUBBY_AI_MODEL_FILE'];

/** Returns the file of models; undefined if none is named, or if it has problems. */
export function modelsFile(reader: Reader): ModelsFile | undefined {
  const found = findModelsFile(reader);
  return reader.show(variable, found, found && shownModelsFile(found.path, found.models));
}

function findModelsFile(reader: Reader): ModelsFile | undefined {
  const value = reader.text(variable);
  if (value === undefined) return undefined;
  const other = others.find((name) => reader.text(name) !== undefined);
  if (other !== undefined) reader.refuse(variable, `${variable} and ${other} are both set. Keep one of them.`);
  const path = resolve(value);
  let keyFiles: readonly string[] = [];
  const read = (): ReadModels => {
    const problems: string[] = [];
    const seen = new Set<string>();
    const models = readModels(path, reader, problems, (file) => void seen.add(file));
    keyFiles = [...seen];
    return models && problems.length === 0 ? { models } : { problems };
  };
  const first = read();
  if ('models' in first)
    return {
      path,
      models: first.models,
      read,
      stamp: async () => (await Promise.all([path, ...keyFiles].map(stampOf))).join(' '),
    };
  for (const problem of first.problems) reader.refuse(variable, `${variable}: ${problem}`);
  return undefined;
}

/** Returns the file for the operator: its path and the names of its models. */
export function shownModelsFile(path: string, { models }: ConfiguredModels): string {
  const names = models.map(({ name }) => name);
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ` and ${names.length - 20} more` : '');
  return `${path} (${shown})`;
}

function readModels(
  path: string,
  reader: Reader,
  problems: string[],
  onKeyFile: (path: string) => void,
): ConfiguredModels | undefined {
  const text = textOf(path, problems);
  const parsed = text === undefined ? undefined : parsedFile(path, text, problems);
  if (parsed === undefined) return undefined;
  return modelsOf(new FileTable(parsed, problems), {
    variable: (name) => reader.text(name),
    file(name) {
      const keyFile = resolve(dirname(path), name);
      onKeyFile(keyFile);
      return readSmallFile(keyFile, maxKeyFileBytes).toString('utf8').trim();
    },
  });
}

function textOf(path: string, problems: string[]): string | undefined {
  try {
    return readSmallFile(path, maxFileBytes)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch (error) {
    problems.push(
      error instanceof FileTooLong
        ? `the file has ${error.sizeBytes} bytes, but may have at most ${maxFileBytes}. A GGUF file belongs into ` +
            'CUBBY_AI_MODEL_FILE.'
        : `${path} must be a file that can be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  return undefined;
}

/** Messages of the parsers may repeat the file, which may hold a key by mistake. Only the place is shown. */
function parsedFile(path: string, text: string, problems: string[]): Readonly<Record<string, unknown>> | undefined {
  const isJson = path.toLowerCase().endsWith('.json');
  try {
    const parsed: unknown = isJson ? JSON.parse(text) : parseToml(text);
    if (isTable(parsed)) return parsed;
    problems.push('the file must be an object with the field models.');
  } catch (error) {
    problems.push(isJson ? jsonProblem(text, error) : tomlProblem(error));
  }
  return undefined;
}

/** Only servers with a file of models load the parser. */
function parseToml(text: string): unknown {
  const { parse }: typeof toml = createRequire(import.meta.url)('smol-toml');
  return parse(text, { maxDepth: 20 });
}

function tomlProblem(error: unknown): string {
  const { line, column, message } = error as Partial<toml.TomlError>;
  if (line === undefined) return 'the file is not valid TOML.';
  const why = message!.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
  return `line ${line}, column ${column} is not valid TOML: ${why}.`;
}

function jsonProblem(text: string, error: unknown): string {
  const at = /at position ([0-9]+)/.exec((error as Error).message)?.[1];
  if (at === undefined) return 'the file is not valid JSON.';
  const before = text.slice(0, Number(at)).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1} is not valid JSON.`;
}

/** Editors replace a file and Kubernetes swaps a link above it, so the file is looked up by its name each time. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${ino}/${size}/${mtimeNs}/${ctimeNs}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
