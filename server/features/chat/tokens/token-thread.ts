import { parentPort } from 'node:worker_threads';

import { countTexts, type Texts } from './count-texts.ts';

/*
 * The thread of `count-tokens.ts`: counts texts, and keeps the vocabulary, which takes a quarter of a second to load.
 */

/** Starts a count, or aborts one. */
export type CountJob = ({ readonly id: number } & Texts) | { readonly ended: number };

/** The tokens of a count, or the error that ended it. */
export interface CountAnswer {
  readonly id: number;
  readonly tokens?: number;
  readonly error?: Error;
}

const underWay = new Map<number, AbortController>();

parentPort!.on('message', async (job: CountJob) => {
  if ('ended' in job) return underWay.get(job.ended)?.abort();
  const { id, ...texts } = job;
  const stop = new AbortController();
  underWay.set(id, stop);
  const answer: CountAnswer = await countTexts(texts, stop.signal).then(
    (tokens) => ({ id, tokens }),
    (error: Error) => ({ id, error }),
  );
  underWay.delete(id);
  parentPort!.postMessage(answer);
});
