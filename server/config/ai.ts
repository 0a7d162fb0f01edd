import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { calledUrl, oneOf, wholeNumber, type Reader } from './values.ts';

/** An OpenAI-compatible server that answers for the gateway. */
export interface ConfiguredUpstream {
  /** Up to and including `/v1`, without a trailing slash. */
  readonly url: string;
  /** Sent as Bearer authorization; without one none is sent. */
  readonly key: string | undefined;
  /** What the model is called there. */
  readonly model: string;
}

/** What stands behind the AI gateway. */
export interface AiConfig {
  /** In the order in which they are tried. */
  readonly upstreams: readonly ConfiguredUpstream[];
  /** Absolute path of a GGUF file; never together with upstreams. */
  readonly modelFile: string | undefined;
  /** Whether the built-in responder may answer when nothing else is named. */
  readonly devResponder: boolean;
  /** Requests of all accounts together, at once; null: no cap. */
  readonly maxConcurrent: number | null;
  /** Tokens of all accounts together in a day; null: no cap. */
  readonly dailyTokens: number | null;
}

/** What servers with a single model take any name for. */
export const anyModel = 'default';

/** Reads the variables of the AI gateway. */
export function aiConfig(reader: Reader): AiConfig {
  const upstreams = configuredUpstreams(reader);
  const modelFile = ggufFile(reader);
  if (modelFile !== undefined && reader.text('CUBBY_AI_UPSTREAM_URL') !== undefined) {
    reader.refuse(
      'CUBBY_AI_MODEL_FILE',
      'CUBBY_AI_MODEL_FILE and CUBBY_AI_UPSTREAM_URL are both set. Keep one of them.',
    );
  }
  return {
    upstreams,
    modelFile,
    devResponder:
      oneOf(
        reader,
        'CUBBY_AI_DEV_RESPONDER',
        ['on', 'off'],
        reader.text('NODE_ENV') === 'production' ? 'off' : 'on',
      ) === 'on',
    maxConcurrent: wholeNumber(reader, 'CUBBY_AI_MAX_CONCURRENT', 100_000),
    dailyTokens: wholeNumber(reader, 'CUBBY_AI_DAILY_TOKENS', Number.MAX_SAFE_INTEGER),
  };
}

/** The variables as an operator sees them; keys are never shown. */
export function aiSettings({
  upstreams,
  modelFile,
  devResponder,
  maxConcurrent,
  dailyTokens,
}: AiConfig): Record<string, string> {
  return {
    CUBBY_AI_UPSTREAM_URL: upstreams.map(({ url }) => url).join(', ') || 'none',
    CUBBY_AI_UPSTREAM_KEY: upstreams.some(({ key }) => key !== undefined) ? 'set, not shown' : 'none',
    CUBBY_AI_UPSTREAM_MODEL:
      upstreams.length === 0 ? 'none' : [...new Set(upstreams.map(({ model }) => model))].join(', '),
    CUBBY_AI_MODEL_FILE: modelFile ?? 'none',
    CUBBY_AI_DEV_RESPONDER: devResponder ? 'on' : 'off',
    CUBBY_AI_MAX_CONCURRENT: String(maxConcurrent ?? 'none'),
    CUBBY_AI_DAILY_TOKENS: String(dailyTokens ?? 'none'),
  };
}

function configuredUpstreams(reader: Reader): ConfiguredUpstream[] {
  const urls = listed(reader, 'CUBBY_AI_UPSTREAM_URL').map((value) =>
    calledUrl(reader, 'CUBBY_AI_UPSTREAM_URL', value, 'http://127.0.0.1:11434/v1'),
  );
  const keys = oneForEach(reader, 'CUBBY_AI_UPSTREAM_KEY', urls.length);
  const models = oneForEach(reader, 'CUBBY_AI_UPSTREAM_MODEL', urls.length);
  // A key goes into a header, and is not shown here whatever is wrong with it.
  if (keys.some((key) => !/^[\x21-\x7e]*$/.test(key))) {
    reader.refuse(
      'CUBBY_AI_UPSTREAM_KEY',
      'CUBBY_AI_UPSTREAM_KEY is set, but must be a key, or several joined by commas, of letters, digits and signs without spaces.',
    );
  }
  return urls.flatMap((url, at) =>
    url === undefined ? [] : [{ url, key: keys[at] || undefined, model: models[at] || anyModel }],
  );
}

/** The entries of a list; none when the variable is not set. */
function listed(reader: Reader, name: string): string[] {
  return (
    reader
      .text(name)
      ?.split(',')
      .map((entry) => entry.trim()) ?? []
  );
}

/** As many values as there are upstreams: one that goes for all, or one each, of which some may be empty. */
function oneForEach(reader: Reader, name: string, count: number): string[] {
  const values = listed(reader, name);
  if (values.length > 0 && count === 0)
    reader.refuse(name, `${name} is set, but needs CUBBY_AI_UPSTREAM_URL: the address of the server that it is for.`);
  else if (values.length > 1 && values.length !== count) {
    reader.refuse(
      name,
      `${name} has ${values.length} entries for ${count} in CUBBY_AI_UPSTREAM_URL. Give one for all of them, or one each.`,
    );
  }
  return values.length === 1 ? Array.from({ length: count }, () => values[0]!) : values;
}

/** The path is the operator's own and no secret. */
function ggufFile(reader: Reader): string | undefined {
  const value = reader.text('CUBBY_AI_MODEL_FILE');
  if (value === undefined) return undefined;
  const path = resolve(value);
  try {
    if (!statSync(path).isFile()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(path, constants.R_OK);
  } catch (error) {
    reader.refuse(
      'CUBBY_AI_MODEL_FILE',
      `CUBBY_AI_MODEL_FILE must name a GGUF file that can be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  return path;
}
