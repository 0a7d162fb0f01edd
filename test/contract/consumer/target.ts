import { startMock } from '#mocks/mock.ts';
import { startTestServer } from '#test/support/server.ts';

/** A server that implements the contract, from a consumer's view. */
export interface Target {
  readonly baseUrl: string;
  /** An API key with full access. */
  readonly auth: string;
  /** The account of the key. */
  readonly accountId: string;
  stop(): Promise<void>;
}

export interface TargetKind {
  readonly name: string;
  readonly start: () => Promise<Target>;
  /** Whether it stores what it receives. Otherwise it answers with the contract's examples. */
  readonly isStateful: boolean;
}

export const targets: readonly TargetKind[] = [
  {
    name: 'the mock',
    isStateful: false,
    async start() {
      const { url, close } = await startMock({ port: 0 });
      // The account of the contract's examples. Any key works.
      return { baseUrl: url, auth: 'any', accountId: '204815162342108999', stop: close };
    },
  },
  {
    name: 'the real server',
    isStateful: true,
    async start() {
      const server = await startTestServer();
      const { id, credential } = await server.account();
      return { baseUrl: server.running.urls.base, auth: credential, accountId: id, stop: () => server.stop() };
    },
  },
];
