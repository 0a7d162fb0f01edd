import { constantLoad, jsonRequest, type ConstantLoad, type ConstantLoadTimes } from './load.ts';

/** What `ai.ts` has this process send, so that the load takes nothing from the bench or from what it measures. */
export interface ChatLoad extends Omit<ConstantLoad, 'request'> {
  /** Taken in turns. */
  readonly credentials: readonly string[];
  readonly body: unknown;
}

export type ChatLoadOutcome = ConstantLoadTimes | { readonly failure: string };

process.on('message', ({ credentials, body, ...load }: ChatLoad) => {
  const requests = credentials.map((credential) => jsonRequest('POST', load.url, credential, body));
  const outcome: Promise<ChatLoadOutcome> = constantLoad({
    ...load,
    request: (number) => requests[number % requests.length]!,
  });
  void outcome.catch((error: unknown) => ({ failure: String(error) })).then((result) => process.send!(result));
});
process.on('disconnect', () => process.exit(0));
