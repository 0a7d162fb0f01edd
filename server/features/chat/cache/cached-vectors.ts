import type { CachedVectors, CacheOutcome, CacheUse, CacheWish } from './answer-cache.ts';
import { cacheKeyOf } from './cache-key.ts';
import type { EmbeddingInput } from '../models/embedding-model.ts';

/** The parts of a request that its vectors depend on, and who may get them again. */
interface Texts {
  readonly accountId: string;
  readonly keyId: string;
  readonly model: string;
  readonly inputs: readonly EmbeddingInput[];
  readonly dimensions: number | undefined;
}

type Vectors = CachedVectors['vectors'];

/** The place of one request in the cache. */
interface VectorsPlace {
  find(): CachedVectors | undefined;
  /** Collects a batch, as long as all batches together are small enough. */
  add(vectors: Vectors): void;
  /** Keeps the collected vectors. Called when all are there. */
  keep(inputTokens: number): void;
}

/** The memory of one number in a list, and of the list itself. */
const [bytesOfNumber, bytesOfVector] = [8, 64];

/** Finds the place of texts. Vectors are the same each time, so no parameter has to ask for it. */
export function vectorsInCache(
  { cache, onCache = () => {} }: CacheUse,
  texts: Texts,
  wish: CacheWish = 'use',
): VectorsPlace {
  if (!cache || wish === 'none') {
    if (cache) onCache({ type: 'bypass', why: 'no-store' });
    return { find: () => undefined, add() {}, keep() {} };
  }
  const key = cacheKeyOf({ operation: 'embeddings', ...texts });
  const missed: CacheOutcome = wish === 'refresh' ? { type: 'bypass', why: 'no-cache' } : { type: 'miss' };
  let collected: Vectors = [];
  let sizeBytes = 512;
  return {
    find() {
      const found = wish === 'use' ? cache.find(key) : undefined;
      if (!found?.value.vectors) return void onCache(missed);
      onCache({ type: 'hit', ageMs: found.ageMs, leftMs: found.leftMs });
      return found.value.vectors;
    },
    add(vectors) {
      for (const vector of vectors) sizeBytes += bytesOfVector + bytesOfNumber * vector.length;
      collected = sizeBytes <= cache.maxValueBytes ? [...collected, ...vectors] : [];
    },
    keep(inputTokens) {
      const isStored =
        sizeBytes <= cache.maxValueBytes &&
        cache.keep(key, { vectors: { vectors: collected, inputTokens } }, sizeBytes);
      onCache({ ...missed, isStored });
    },
  };
}
