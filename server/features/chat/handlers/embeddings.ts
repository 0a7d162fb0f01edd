import type { EmbeddingList, EmbeddingRequest as WireRequest } from '#generated/types.ts';
import { Rendered } from '#server/http/reply.ts';
import { embeddingsName, type EmbeddingInput } from '../models/embedding-model.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** The longest list of vectors, as text. */
const maxListLength = 16 * 1024 * 1024;

/** Returns the texts of a request. One list of numbers is one text. */
export function inputsOf(input: WireRequest['input']): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [input];
  return typeof input[0] === 'number' ? [input as number[]] : (input as Array<string | number[]>);
}

/** Writes the list of vectors batch by batch, because writing all of it at once would hold up other requests. */
export class EmbeddingWriter {
  readonly #isBase64: boolean;
  readonly #entries: string[] = [];
  #length = 0;

  constructor(format: WireRequest['encoding_format']) {
    this.#isBase64 = format === 'base64';
  }

  /** @throws invalid_input when all vectors together are too long */
  add(vectors: ReadonlyArray<readonly number[]>): void {
    for (const vector of vectors) {
      const embedding = this.#isBase64 ? bytesOf(vector).toString('base64') : vector;
      const entry = JSON.stringify({ object: 'embedding', index: this.#entries.length, embedding });
      this.#entries.push(entry);
      this.#length += entry.length;
    }
    if (this.#length > maxListLength)
      throw new Refusal('invalid_input', {
        message: 'The vectors of these texts are larger than 16 MiB together. Send fewer texts, or ask for base64.',
      });
  }

  end(tokens: number): Rendered<EmbeddingList> {
    const usage = { prompt_tokens: tokens, total_tokens: tokens };
    const rest = JSON.stringify({ model: embeddingsName, usage }).slice(1);
    return Rendered.written(Buffer.from(`{"object":"list","data":[${this.#entries.join(',')}],${rest}`));
  }
}

function bytesOf(vector: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, 4 * at);
  return bytes;
}
