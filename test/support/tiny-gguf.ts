/**
 * Returns a language model of a few kilobytes in a GGUF file. It has one layer of the Llama architecture with random
 * weights, and a tokenizer that knows only single bytes. Its output makes no sense, but it is loaded and used like any
 * other model.
 *
 * @see https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export function tinyGguf({ contextTokens = 2048 } = {}): Buffer {
  const tensors = tensorsOfOneLayer();
  const settings = settingsOf(contextTokens);
  const head = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(settings.length), ...settings];
  const infos: Buffer[] = [];
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    infos.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    offset += aligned(data.length);
  }
  const front = Buffer.concat([...head, ...infos]);
  return Buffer.concat([padded(front), ...tensors.map(({ data }) => padded(data))]);
}

const alignment = 32;
const embedding = 32;
const feedForward = 64;

/** The types of values in the file. */
const kinds = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 } as const;

/** The kinds of tokens: 1 is text, 2 is unknown, 3 is control, 6 is a byte. */
const vocabulary: ReadonlyArray<readonly [token: string, kind: number]> = [
  ['<unk>', 2],
  ['<s>', 3],
  ['</s>', 3],
  ...Array.from({ length: 256 }, (_, byte): readonly [string, number] => [
    `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    6,
  ]),
  ['\u2581', 1],
];

function settingsOf(contextTokens: number): Buffer[] {
  const string = (key: string, value: string) => setting(key, kinds.string, text(value));
  const number = (key: string, value: number) => setting(key, kinds.uint32, u32(value));
  const list = (key: string, kind: number, values: readonly Buffer[]) =>
    setting(key, kinds.array, Buffer.concat([u32(kind), u64(values.length), ...values]));
  return [
    string('general.architecture', 'llama'),
    string('general.name', 'tiny'),
    number('llama.context_length', contextTokens),
    number('llama.embedding_length', embedding),
    number('llama.block_count', 1),
    number('llama.feed_forward_length', feedForward),
    number('llama.attention.head_count', 4),
    number('llama.attention.head_count_kv', 4),
    number('llama.rope.dimension_count', embedding / 4),
    setting('llama.attention.layer_norm_rms_epsilon', kinds.float32, f32(1e-5)),
    string('tokenizer.ggml.model', 'llama'),
    list(
      'tokenizer.ggml.tokens',
      kinds.string,
      vocabulary.map(([token]) => text(token)),
    ),
    list(
      'tokenizer.ggml.scores',
      kinds.float32,
      vocabulary.map(() => f32(0)),
    ),
    list(
      'tokenizer.ggml.token_type',
      kinds.int32,
      vocabulary.map(([, kind]) => u32(kind)),
    ),
    number('tokenizer.ggml.bos_token_id', 1),
    number('tokenizer.ggml.eos_token_id', 2),
    number('tokenizer.ggml.unknown_token_id', 0),
  ];
}

interface Tensor {
  readonly name: string;
  /** The sizes, fastest dimension first. */
  readonly shape: readonly number[];
  readonly data: Buffer;
}

function tensorsOfOneLayer(): Tensor[] {
  const next = chance();
  const matrix = (name: string, ...shape: number[]): Tensor => ({
    name: `${name}.weight`,
    shape,
    data: floats(
      shape.reduce((a, b) => a * b),
      () => next() - 0.5,
    ),
  });
  const norm = (name: string): Tensor => ({
    name: `${name}.weight`,
    shape: [embedding],
    data: floats(embedding, () => 1),
  });
  return [
    matrix('token_embd', embedding, vocabulary.length),
    norm('blk.0.attn_norm'),
    matrix('blk.0.attn_q', embedding, embedding),
    matrix('blk.0.attn_k', embedding, embedding),
    matrix('blk.0.attn_v', embedding, embedding),
    matrix('blk.0.attn_output', embedding, embedding),
    norm('blk.0.ffn_norm'),
    matrix('blk.0.ffn_gate', embedding, feedForward),
    matrix('blk.0.ffn_up', embedding, feedForward),
    matrix('blk.0.ffn_down', feedForward, embedding),
    norm('output_norm'),
    matrix('output', embedding, vocabulary.length),
  ];
}

/** Returns a generator of numbers from 0 to 1, the same each time. */
function chance(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function setting(key: string, kind: number, value: Buffer): Buffer {
  return Buffer.concat([text(key), u32(kind), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function floats(count: number, make: () => number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => f32(make())));
}

function aligned(size: number): number {
  return Math.ceil(size / alignment) * alignment;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);
}
