import { Pool } from 'undici';

interface PoolOptions {
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Longest pause within the body of a response. Its beginning has only the limit of the request, because servers send
   * it when the whole text is generated.
   */
  readonly bodyTimeoutMs?: number | undefined;
}

/** Opens a pool of connections to a server of models. */
export function openPool(url: string, { connectTimeoutMs = 5000, bodyTimeoutMs = 30_000 }: PoolOptions = {}): Pool {
  return new Pool(new URL(url).origin, {
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: bodyTimeoutMs,
    allowH2: false,
  });
}
