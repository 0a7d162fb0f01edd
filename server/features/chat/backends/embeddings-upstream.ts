import { setTimeout as sleep } from 'node:timers/promises';

import type { ConfiguredUpstream } from '../config/upstream.ts';
import { ChatModelUnavailable } from '../models/chat-model.ts';
import type { EmbeddingBatch, EmbeddingBatchRequest, EmbeddingModel } from '../models/embedding-model.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Log } from '#server/log.ts';
import { untraced, withRequestId, type CallTracing } from '#server/telemetry/tracing.ts';
import { fieldsOf } from '#server/backends/json-value.ts';
import { isTokenCount } from './answer.ts';
import type { Failure } from './failure.ts';
import { givenUp, tooLong } from './model-errors.ts';
import { openPool } from './open-pool.ts';
import { headersWith, postOnce, type ModelServer, type PostOptions } from './post-once.ts';
import { RememberedRejections } from './remembered-rejections.ts';
import { serverAttributes } from './span-attributes.ts';

interface EmbeddingOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly tracing?: CallTracing;
  readonly pausesMs?: readonly number[];
}

/** A vector is some 20 bytes a number. Reading 16 of them takes some 10 ms at most. */
const batchSize = 16;

/** 16 vectors of 4096 numbers with 20 digits each, and the rest of the answer. */
const maxBodyBytes = 2 * 1024 * 1024;

interface AttemptOptions extends Pick<PostOptions, 'signal' | 'onBegun'> {
  readonly requestId: string | undefined;
}

/** A server, and what it rejects. */
interface EmbeddingServer extends ModelServer {
  readonly rejections: RememberedRejections;
}

type Outcome = { readonly batch: EmbeddingBatch } | { readonly failure: Failure };

/** Opens the server of an embeddings model that speaks the format of OpenAI. */
export function openEmbeddings(
  { url, key, model }: ConfiguredUpstream,
  { clock, log, tracing = untraced, pausesMs = [250, 1000] }: EmbeddingOptions,
): EmbeddingModel {
  const attributes = serverAttributes(url, model);
  const pool = openPool(url);
  const path = `${new URL(url).pathname.replace(/\/$/, '')}/embeddings`;
  const rejections = new RememberedRejections({
    onRejected: (field) =>
      log.info({ field }, 'the server of the embeddings model rejects a field: it gets requests without it'),
  });
  const server = { pool, path, headers: headersWith(key), model, rejections };
  const attempt = (request: EmbeddingBatchRequest, { requestId, ...options }: AttemptOptions): Promise<Outcome> =>
    tracing.call(
      `embeddings ${model}`,
      {
        ...attributes,
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.request.encoding_formats': ['float'],
        'gen_ai.embeddings.dimension.count': request.dimensions,
      },
      async (span) => {
        const post = { ...options, span: withRequestId(span, requestId), clock, maxBodyBytes };
        const outcome = await ask(server, request, post);
        if ('failure' in outcome) {
          span.note({ 'http.response.status_code': outcome.failure.status });
          span.failed(outcome.failure.kind);
        }
        return outcome;
      },
    );
  return {
    batchSize,
    async embed(request, signal, onBegun, by) {
      for (let tries = 0; ; tries++) {
        by?.attempted();
        const outcome = await attempt(request, { signal, onBegun, requestId: by?.requestId });
        if ('batch' in outcome) return outcome.batch;
        const { failure } = outcome;
        if (signal.aborted) throw givenUp(signal);
        throwIfFinal(failure);
        log.warn(
          { outcome: failure.kind, status: failure.status },
          'the server of the embeddings model did not answer',
        );
        const pauseMs = pausesMs[tries];
        if (pauseMs === undefined || (failure.kind !== 'busy' && failure.kind !== 'unreachable'))
          throw new ChatModelUnavailable(`The server of the embeddings model failed: ${failure.kind}.`);
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) throw givenUp(signal);
      }
    },
    close: () => pool.destroy(),
  };
}

/** Asks once, and once more without the encoding if the server does not take it. */
async function ask(server: EmbeddingServer, request: EmbeddingBatchRequest, options: PostOptions): Promise<Outcome> {
  const { inputs, dimensions } = request;
  const { rejections } = server;
  const plain = { model: server.model, input: inputs, dimensions };
  const isRejected = rejections.known().includes('encoding_format');
  let response = await postOnce(server, isRejected ? plain : { ...plain, encoding_format: 'float' }, options);
  if (!isRejected && 'failure' in response && response.failure.rejected === 'encoding_format') {
    response = await postOnce(server, plain, options);
    if ('received' in response) rejections.remember('encoding_format');
  }
  if ('failure' in response) return response;
  options.onBegun();
  const batch = readBatch(response.received, inputs.length);
  if (!batch) return { failure: { kind: 'unreadable', status: 200 } };
  options.span.note({ 'gen_ai.usage.input_tokens': batch.inputTokens });
  if (dimensions !== undefined && batch.vectors[0]!.length !== dimensions) throw wrongDimensions();
  return { batch };
}

/** Returns undefined unless there is one vector for each input. */
function readBatch(body: unknown, count: number): EmbeddingBatch | undefined {
  const { data, usage } = fieldsOf(body);
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors: Array<readonly number[]> = Array(count);
  for (const [place, entry] of data.entries()) {
    const { embedding, index = place } = fieldsOf(entry);
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count) return undefined;
    const vector = vectorOf(embedding);
    if (!vector || vectors[index as number]) return undefined;
    vectors[index as number] = vector;
  }
  if (vectors.some(({ length }) => length !== vectors[0]!.length)) return undefined;
  const { prompt_tokens: tokens } = fieldsOf(usage);
  return { vectors, inputTokens: isTokenCount(tokens) && tokens > 0 ? tokens : undefined };
}

/** Some servers send base64 although numbers were requested. */
function vectorOf(embedding: unknown): readonly number[] | undefined {
  if (typeof embedding === 'string') {
    const bytes = Buffer.from(embedding, 'base64');
    if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
    return numbersOnly(Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at)));
  }
  return Array.isArray(embedding) && embedding.length > 0 ? numbersOnly(embedding) : undefined;
}

function numbersOnly(values: readonly unknown[]): readonly number[] | undefined {
  return values.every((value) => Number.isFinite(value)) ? (values as readonly number[]) : undefined;
}

function throwIfFinal({ kind }: Failure): void {
  if (kind === 'context-too-long') throw tooLong();
  if (kind === 'refused' || kind === 'tools-not-supported')
    throw new Refusal('invalid_request', {
      message: 'The model refused this request. Not every model takes dimensions, or tokens in place of texts.',
    });
}

function wrongDimensions(): Refusal {
  return new Refusal('invalid_request', {
    message: 'The model cannot make vectors with this number of dimensions. Leave dimensions out.',
  });
}
