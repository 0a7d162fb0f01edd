import { startPrism } from '#mocks/prism.ts';
import { startTestServer } from '#test/support/server.ts';

/** A server that speaks the contract, as a consumer sees it. */
export interface Target {
  readonly baseUrl: string;
  /** An API key that may do everything. */
  readonly auth: string;
  /** The account that the key belongs to. */
  readonly accountId: string;
  stop(): Promise<void>;
}

export interface TargetKind {
  readonly name: string;
  readonly start: () => Promise<Target>;
  /** Whether it remembers what it was told; one that does not answers with the contract's examples. */
  readonly isStateful: boolean;
  /** The largest body that it takes, in bytes. */
  readonly maxBodyBytes: number;
}

const mebibyte = 1_048_576;

export const targets: readonly TargetKind[] = [
  {
    name: 'the Prism mock',
    isStateful: false,
    // Hard-coded in Prism: more answers a 413 that is not the contract's.
    maxBodyBytes: 10 * mebibyte,
    async start() {
      const { url, close } = await startPrism({ port: 0 });
      // The account of the contract's examples; any key will do.
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
