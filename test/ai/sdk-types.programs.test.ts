import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { describeWith } from '#test/support/describe-with.ts';
import { placeOf } from '#test/support/packages.ts';
import { answersOf, protocols } from './random-answers.ts';

const describe = describeWith('@anthropic-ai/sdk', 'openai');

/** How many answers of each protocol are compiled against the types of its client. */
const answersOfEach = 500;

type Fields = Readonly<Record<string, unknown>>;

/** The type of each kind of answer and event in the packages of its clients. */
const types: ReadonlyArray<readonly [kind: RegExp, type: string]> = [
  [/^chat\.completion$/, 'OpenAI.ChatCompletion'],
  [/^chat\.completion\.chunk$/, 'OpenAI.ChatCompletionChunk'],
  [/^response$/, 'OpenAI.Responses.Response'],
  [/^response\./, 'OpenAI.Responses.ResponseStreamEvent'],
  [/^an error of OpenAI$/, "{ error: OpenAI.ErrorObject; type?: 'error'; sequence_number?: number }"],
  [/^message$/, 'Anthropic.Message'],
  [/^(message|content_block)_/, 'Anthropic.RawMessageStreamEvent'],
  [/^error$/, 'Anthropic.ErrorResponse'],
];

/** Events without a type in the packages: their clients look at the name alone. */
const untyped = new Set(['ping']);

/** How objects of the gateway differ from the types of a client. Each is named by its type, or by where it is. */
interface Difference {
  /** What the types require and the contract does not have. Their clients read it as missing. */
  readonly later?: Fields;
  /** What the gateway sends beside the types, or with values of its own. */
  readonly own?: readonly string[];
  /** What may be null by the document Open Responses alone. */
  readonly nulls?: readonly string[];
}

const differences: Readonly<Record<'openai' | 'anthropic', Readonly<Record<string, Difference>>>> = {
  openai: {
    response: {
      // The client adds the text.
      later: { access_programs: null, output_text: '' },
      own: ['presence_penalty', 'frequency_penalty', 'top_logprobs', 'store'],
      nulls: ['usage'],
    },
    'response.error': { own: ['code'], later: { code: 'server_error' } },
    'response.function_call_arguments.done': { own: ['name'] },
    'usage.input_tokens_details': { later: { cache_write_tokens: 0 } },
    choices: { later: { logprobs: null } },
    // Other servers have these fields.
    'choices.message': { own: ['reasoning_content'], later: { refusal: null } },
    'choices.delta': { own: ['reasoning_content'] },
  },
  anthropic: {
    message: { later: { container: null, diagnostics: null, stop_details: null } },
    'message.usage': {
      later: {
        ...{ cache_creation: null, inference_geo: null, output_tokens_details: null },
        ...{ server_tool_use: null, service_tier: null, speed: null },
      },
    },
    'message_delta.delta': { later: { container: null, stop_details: null } },
    'message_delta.usage': { later: { output_tokens_details: null, server_tool_use: null } },
    text: { later: { citations: null } },
    tool_use: { later: { caller: { type: 'direct' } } },
    'error.error': { own: ['code'] },
    error: { later: { request_id: null } },
  },
};

/** Returns the value without those differences. */
function comparable(value: unknown, client: keyof typeof differences, parent = '', name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => comparable(each, client, parent, name));
  if (typeof value !== 'object' || value === null) return value;
  const { type, object } = value as Fields;
  const label = typeof type === 'string' ? type : typeof object === 'string' ? object : name;
  const known = [label, `${parent}.${name}`].map((one) => differences[client][one] ?? {});
  const fields = Object.entries(value)
    .filter(
      ([key, each]) => !known.some(({ own, nulls }) => own?.includes(key) || (each === null && nulls?.includes(key))),
    )
    .map(([key, each]) => [key, comparable(each, client, label, key)] as const);
  return Object.assign({}, ...known.map(({ later }) => later), Object.fromEntries(fields));
}

/** Returns what a type can see of a value. Words may be part of it, other texts are all the same. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return /^[a-z_.]{1,64}$/.test(value) ? value : 'A text.';
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)]));
  return [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))].map((one) => JSON.parse(one) as unknown);
}

/** Compiles the values as constants of their types. Returns what the compiler says. */
async function compiled(shapes: ReadonlyMap<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-sdk-types-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const imports = [
    `import type Anthropic from ${JSON.stringify(placeOf('@anthropic-ai/sdk/index.js'))};`,
    `import type OpenAI from ${JSON.stringify(placeOf('openai/index.js'))};`,
  ];
  const constants = [...shapes].map(([shape, type], at) => `export const value${at}: ${type} = ${shape};`);
  await writeFile(join(folder, 'answers.ts'), [...imports, ...constants, ''].join('\n'));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], noErrorTruncation: true },
    ...{ target: 'es2024', module: 'esnext', moduleResolution: 'bundler', lib: ['es2024', 'dom', 'dom.iterable'] },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['answers.ts'] }));
  const { stdout, stderr } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  return stdout + stderr;
}

describe('the types of openai and @anthropic-ai/sdk', () => {
  it(`have a place for every field of ${answersOfEach} answers in each protocol, whole and streamed`, async () => {
    const shapes = new Map<string, string>();
    const kinds = new Map<string, number>();
    for (const protocol of protocols)
      for await (const { text } of answersOf(protocol, answersOfEach)) {
        const values = text.startsWith('{') ? [text] : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => data!);
        const client = protocol.path === 'messages' ? 'anthropic' : 'openai';
        for (const value of values.map((data) => JSON.parse(data) as Fields)) {
          const kind = client === 'openai' && value.error && !value.object ? 'an error of OpenAI' : kindOf(value);
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          if (untyped.has(kind)) continue;
          const type = types.find(([known]) => known.test(kind))?.[1];
          if (type === undefined) throw new Error(`No type is known for ${kind}: ${JSON.stringify(value)}`);
          shapes.set(JSON.stringify(shapeOf(comparable(value, client))), type);
        }
      }
    expect(await compiled(shapes)).toBe('');
    expect([...kinds.keys()].sort()).toMatchInlineSnapshot(`
      [
        "an error of OpenAI",
        "chat.completion",
        "chat.completion.chunk",
        "content_block_delta",
        "content_block_start",
        "content_block_stop",
        "error",
        "message",
        "message_delta",
        "message_start",
        "message_stop",
        "ping",
        "response",
        "response.completed",
        "response.content_part.added",
        "response.content_part.done",
        "response.created",
        "response.failed",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.in_progress",
        "response.incomplete",
        "response.output_item.added",
        "response.output_item.done",
        "response.output_text.delta",
        "response.output_text.done",
        "response.reasoning_text.delta",
        "response.reasoning_text.done",
      ]
    `);
  });
});

function kindOf({ type, object }: Fields): string {
  return String(type ?? object);
}
