import { startPrism } from '#mocks/prism.ts';
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
  /** The largest accepted body, in bytes. */
  readonly maxBodyBytes: number;
}

const mebibyte = 1_048_576;

export const targets: readonly TargetKind[] = [
  {
    name: 'the Prism mock',
    isStateful: false,
    // Hard-coded in Prism. A larger body gets a 413 that is not the contract's.
    maxBodyBytes: 10 * mebibyte,
    async start() {
      const { url, close } = await startPrism({ port: 0 });
      // The account of the contract's examples. Any key works.
      return { baseUrl: url, auth: 'any', accountId: '204815162342108999', stop: close };
    },
  },
  {
    name: 'the real server',
    isStateful: true,
    maxBodyBytes: 100 * mebibyte,
    async start() {
      const server = await startTestServer();
      const { id, credential } = await server.account();
      return { baseUrl: server.running.urls.base, auth: credential, accountId: id, stop: () => server.stop() };
    },
  },
];
