import { constantLoad, jsonRequest, type ConstantLoad, type ConstantLoadTimes } from './load.ts';

/** The load that `ai.ts` sends from this process, so that sending does not slow the bench or the measured server. */
export interface ChatLoad extends Omit<ConstantLoad, 'request'> {
  /** Used in turns. */
  readonly credentials: readonly string[];
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: unknown;
}

export type ChatLoadOutcome = ConstantLoadTimes | { readonly failure: string };

process.on('message', ({ credentials, headers, body, ...load }: ChatLoad) => {
  const requests = credentials.map((credential) =>
    jsonRequest('POST', load.url, { Authorization: credential, ...headers }, body),
  );
  const outcome: Promise<ChatLoadOutcome> = constantLoad({
    ...load,
    request: (number) => requests[number % requests.length]!,
  });
  void outcome.catch((error: unknown) => ({ failure: String(error) })).then((result) => process.send!(result));
});
process.on('disconnect', () => process.exit(0));
