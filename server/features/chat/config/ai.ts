import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { modelsFile, type ModelsFile } from './models-file.ts';
import { anyModel, type ConfiguredUpstream } from './upstream.ts';
import { aiRecordsConfig, type AiRecordsConfig } from './ai-records.ts';
import { calledUrl, isOn, oneOf, wholeNumber, type Reader } from '#server/config/values.ts';

/** How long requests wait for their turn, by their form. */
interface QueueMs {
  /** Chat completions and embeddings. */
  readonly chat: number;
  /** Open Responses and the Messages API, whose clients expect it. */
  readonly agents: number;
}

/** The configuration of the AI gateway. */
export interface AiConfig extends AiRecordsConfig {
  /** In the order in which they are tried. */
  readonly upstreams: readonly ConfiguredUpstream[];
  /** Absolute path of a GGUF file. Not allowed together with upstreams. */
  readonly modelFile: string | undefined;
  /** Several models with names. Not allowed together with the two above. */
  readonly modelsFile: ModelsFile | undefined;
  /** Whether the development responder may respond without any model. */
  readonly devResponder: boolean;
  /** Whether text in parts, the role `developer` and more parameters are accepted. */
  readonly clientForms: boolean;
  /** Whether requests in the form of Open Responses are accepted. */
  readonly responses: boolean;
  /** Whether requests in the form of messages are accepted. */
  readonly messages: boolean;
  /** The model for embeddings; undefined: none. */
  readonly embeddings: ConfiguredUpstream | undefined;
  readonly streaming: {
    /** Whether chat completions may be streamed. The other two forms always may. */
    readonly isOn: boolean;
    /** How long nothing may come before a comment keeps a stream open; null without comments. */
    readonly keepAliveMs: number | null;
  };
  /** Limit of simultaneous requests of all accounts together; null: no limit. */
  readonly maxConcurrent: number | null;
  /** Limit of tokens a day of all accounts together; null: no limit. */
  readonly dailyTokens: number | null;
  /** How long a request waits for its turn, in milliseconds. 0: it is rejected at once. */
  readonly queueMs: QueueMs;
}

/** Reads the variables of the AI gateway. */
export function aiConfig(reader: Reader): AiConfig {
  // What it switches on can still be switched off one by one.
  const isOpen = oneOf(reader, 'CUBBY_AI', ['open', 'strict'], 'strict') === 'open';
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
    modelsFile: modelsFile(reader),
    devResponder: isOn(reader, 'CUBBY_AI_DEV_RESPONDER', reader.text('NODE_ENV') === 'production' ? 'off' : 'on'),
    clientForms: isOn(reader, 'CUBBY_AI_CLIENT_FORMS', isOpen ? 'on' : 'off'),
    responses: isOn(reader, 'CUBBY_AI_RESPONSES', 'on'),
    messages: isOn(reader, 'CUBBY_AI_MESSAGES', 'on'),
    embeddings: configuredEmbeddings(reader, upstreams[0]),
    streaming: {
      isOn: isOn(reader, 'CUBBY_AI_STREAMING', isOpen ? 'on' : 'off'),
      keepAliveMs: keepAliveMs(reader),
    },
    maxConcurrent: wholeNumber(reader, 'CUBBY_AI_MAX_CONCURRENT', { standard: null, least: 1, most: 100_000 }),
    dailyTokens: wholeNumber(reader, 'CUBBY_AI_DAILY_TOKENS', {
      standard: null,
      least: 1,
      most: Number.MAX_SAFE_INTEGER,
    }),
    queueMs: queueMs(reader, isOpen),
    ...aiRecordsConfig(reader),
  };
}

/** Returns the model for embeddings. Without an address of its own, it is on the first server of the chat model. */
function configuredEmbeddings(reader: Reader, chat: ConfiguredUpstream | undefined): ConfiguredUpstream | undefined {
  const found = findEmbeddings(reader, chat);
  reader.show('CUBBY_AI_EMBEDDINGS_MODEL', found?.model);
  reader.show('CUBBY_AI_EMBEDDINGS_URL', found?.url);
  reader.hide('CUBBY_AI_EMBEDDINGS_KEY', found?.key);
  return found;
}

function findEmbeddings(reader: Reader, chat: ConfiguredUpstream | undefined): ConfiguredUpstream | undefined {
  const model = reader.text('CUBBY_AI_EMBEDDINGS_MODEL');
  const given = reader.text('CUBBY_AI_EMBEDDINGS_URL');
  const key = reader.text('CUBBY_AI_EMBEDDINGS_KEY');
  const name = given !== undefined ? 'CUBBY_AI_EMBEDDINGS_URL' : 'CUBBY_AI_EMBEDDINGS_KEY';
  if (model === undefined) {
    if (given !== undefined || key !== undefined)
      reader.refuse(name, `${name} is set, but needs CUBBY_AI_EMBEDDINGS_MODEL: the name of the model.`);
    return undefined;
  }
  const url =
    given === undefined ? chat?.url : calledUrl(reader, 'CUBBY_AI_EMBEDDINGS_URL', given, 'http://127.0.0.1:11434/v1');
  if (url === undefined) {
    if (given === undefined)
      reader.refuse(
        'CUBBY_AI_EMBEDDINGS_MODEL',
        'CUBBY_AI_EMBEDDINGS_MODEL needs CUBBY_AI_EMBEDDINGS_URL or CUBBY_AI_UPSTREAM_URL: the address of its server.',
      );
    return undefined;
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    reader.refuse(
      'CUBBY_AI_EMBEDDINGS_KEY',
      'CUBBY_AI_EMBEDDINGS_KEY is set, but must be a key: letters, digits and signs without spaces.',
    );
  // Another server must not get the key of the chat model's.
  return { url, key: key ?? (url === chat?.url ? chat.key : undefined), model };
}

function queueMs(reader: Reader, isOpen: boolean): QueueMs {
  const name = 'CUBBY_AI_QUEUE_MS';
  const noun = 'a whole number of milliseconds';
  const given = wholeNumber(reader, name, { standard: null, most: maxQueueMs, noun });
  if (given !== null) return { chat: given, agents: given };
  const standard = { chat: isOpen ? standardQueueMs : 0, agents: standardQueueMs };
  const shown = isOpen ? `${standardQueueMs}` : `0 for chat completions, ${standardQueueMs} for the other forms`;
  return reader.show(name, standard, shown);
}

function keepAliveMs(reader: Reader): number | null {
  const mustBe = 'a whole number of seconds from 1 to 60, or off';
  const seconds = reader.parsed('CUBBY_AI_STREAM_KEEPALIVE_SECONDS', 10, mustBe, (value) => {
    if (value === 'off') return 0;
    return /^[1-9][0-9]?$/.test(value) && Number(value) <= 60 ? Number(value) : undefined;
  });
  reader.show('CUBBY_AI_STREAM_KEEPALIVE_SECONDS', seconds || 'off');
  return seconds === 0 ? null : seconds * 1000;
}

/** The longest time that a request may wait for its turn. The deadline of the request includes it. */
const maxQueueMs = 60_000;

/** How long requests wait unless the operator says otherwise. */
const standardQueueMs = 10_000;

function configuredUpstreams(reader: Reader): ConfiguredUpstream[] {
  const urls = reader
    .list('CUBBY_AI_UPSTREAM_URL')
    .map((value) => calledUrl(reader, 'CUBBY_AI_UPSTREAM_URL', value, 'http://127.0.0.1:11434/v1'));
  const keys = oneForEach(reader, 'CUBBY_AI_UPSTREAM_KEY', urls.length);
  const models = oneForEach(reader, 'CUBBY_AI_UPSTREAM_MODEL', urls.length);
  // A key goes into a header. The problem must not show it.
  if (keys.some((key) => !/^[\x21-\x7e]*$/.test(key))) {
    reader.refuse(
      'CUBBY_AI_UPSTREAM_KEY',
      'CUBBY_AI_UPSTREAM_KEY is set, but must be one key, or several joined by commas. ' +
        'A key has letters, digits and signs without spaces.',
    );
  }
  const upstreams = urls.flatMap((url, at) =>
    url === undefined ? [] : [{ url, key: keys[at] || undefined, model: models[at] || anyModel }],
  );
  const shownUrls = upstreams.map(({ url }) => url).join(', ');
  const shownModels = [...new Set(upstreams.map(({ model }) => model))].join(', ');
  reader.show('CUBBY_AI_UPSTREAM_URL', shownUrls || 'none');
  reader.hide('CUBBY_AI_UPSTREAM_KEY', upstreams.find(({ key }) => key !== undefined)?.key);
  reader.show('CUBBY_AI_UPSTREAM_MODEL', shownModels || 'none');
  return upstreams;
}

/**
 * Returns one value for each upstream. One entry applies to all. Otherwise each upstream has its own, perhaps empty.
 */
function oneForEach(reader: Reader, name: string, count: number): string[] {
  const values = reader.list(name);
  if (values.length > 0 && count === 0)
    reader.refuse(name, `${name} is set, but needs CUBBY_AI_UPSTREAM_URL: the address of the server that it is for.`);
  else if (values.length > 1 && values.length !== count) {
    reader.refuse(
      name,
      `${name} has ${values.length} entries, and CUBBY_AI_UPSTREAM_URL has ${count}. Give one for all, or one each.`,
    );
  }
  return values.length === 1 ? Array<string>(count).fill(values[0]!) : values;
}

/** Returns the model file. Problems may show its path, which is not secret. */
function ggufFile(reader: Reader): string | undefined {
  const value = reader.text('CUBBY_AI_MODEL_FILE');
  if (value === undefined) return reader.show('CUBBY_AI_MODEL_FILE', undefined);
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
  return reader.show('CUBBY_AI_MODEL_FILE', path);
}
