import { constantLoad, type ConstantLoadTimes } from './load.ts';

/** One kind of request of a mixed load. */
export interface MixedKind {
  readonly name: string;
  readonly url: string;
  readonly perSecond: number;
  /** Each whole request, head and body, in base64. Sent in turns. */
  readonly requests: readonly string[];
}

/** The load that `mixed.ts` sends from this process, so that sending does not slow the bench. */
export interface MixedLoad {
  readonly kinds: readonly MixedKind[];
  readonly durationMs: number;
}

export type MixedOutcome = { readonly times: readonly ConstantLoadTimes[] } | { readonly failure: string };

process.on('message', ({ kinds, durationMs }: MixedLoad) => {
  const all = kinds.map(({ url, perSecond, requests }) => {
    const bytes = requests.map((text) => Buffer.from(text, 'base64'));
    return constantLoad({ url, perSecond, durationMs, request: (number) => bytes[number % bytes.length]! });
  });
  void Promise.all(all)
    .then(
      (times): MixedOutcome => ({ times }),
      (error: unknown): MixedOutcome => ({ failure: String(error) }),
    )
    .then((outcome) => process.send!(outcome));
});
process.on('disconnect', () => process.exit(0));
