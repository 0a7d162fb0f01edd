import { isOn, sizeInBytes, wholeNumber, type Reader } from '#server/config/values.ts';

/** What the AI gateway keeps of requests, and shows of them. By default nothing. */
export interface AiRecordsConfig {
  /** For 0 milliseconds: no answer is kept. */
  readonly cache: { readonly keptMs: number; readonly maxBytes: number };
  /** Whether spans have messages and answers. */
  readonly tracesContent: boolean;
  /** How many days the log of requests is kept; 0: none is written. */
  readonly logDays: number;
}

/** Up to 7 days. */
const cacheSeconds = { standard: 0, most: 604_800, noun: 'a whole number of seconds' };

const standardCacheBytes = 64 * 2 ** 20;
const leastCacheBytes = 2 ** 20;
const mostCacheBytes = 64 * 2 ** 30;

const logDays = { standard: 0, most: 400, noun: 'a whole number of days' };

export function aiRecordsConfig(reader: Reader): AiRecordsConfig {
  return {
    cache: {
      keptMs: 1000 * wholeNumber(reader, 'CUBBY_AI_CACHE_SECONDS', cacheSeconds),
      maxBytes: cacheBytes(reader),
    },
    tracesContent: isOn(reader, 'CUBBY_AI_TRACE_CONTENT', 'off'),
    logDays: wholeNumber(reader, 'CUBBY_AI_LOG_DAYS', logDays),
  };
}

function cacheBytes(reader: Reader): number {
  const bytes = sizeInBytes(reader, 'CUBBY_AI_CACHE_BYTES', String(standardCacheBytes)) ?? standardCacheBytes;
  if (bytes < leastCacheBytes || bytes > mostCacheBytes)
    reader.refuse('CUBBY_AI_CACHE_BYTES', 'CUBBY_AI_CACHE_BYTES must be a size from 1MiB to 64GiB.');
  return bytes;
}
