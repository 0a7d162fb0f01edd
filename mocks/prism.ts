/**
 * `npm run mock`: a mock of the whole contract that responds with its examples, through Prism. It keeps no state
 * between requests. `mocks/README.md` lists its other limits.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

import { operationsOf, responsesOf, type Json } from '#openapi/codegen/document.ts';
import { mockFront } from './mock-front.ts';

const bundle = join(import.meta.dirname, '../generated/openapi.json');

export interface PrismMock {
  /** `http://127.0.0.1:7410`, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

export interface PrismOptions {
  /** 0 means any free port. */
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
}

/** Adapts the contract for Prism. */
function documentForPrism(document: Json): Json {
  const copy = structuredClone(document);
  for (const [path, item] of Object.entries<Json>(copy.paths)) {
    // The public host's keys contain slashes, and `/{account_id}/{key}` would match misspelt paths of other hosts.
    if (item['x-door'] === 'public') delete copy.paths[path];
  }
  for (const operation of operationsOf(copy)) {
    for (const { response } of responsesOf(copy, operation)) {
      // Prism would send `*/*` as the Content-Type.
      if (response.content?.['*/*']) {
        const { '*/*': anything, ...others } = response.content;
        response.content = { 'application/octet-stream': anything, ...others };
      }
    }
  }
  return copy;
}

/**
 * Starts the mock in this process.
 *
 * @throws when the port is taken
 */
export async function startPrism({ port, host = '127.0.0.1' }: PrismOptions): Promise<PrismMock> {
  const document: Json = JSON.parse(await readFile(bundle, 'utf8'));
  const operations = await getHttpOperationsFromSpec(documentForPrism(document));
  const server = createServer(operations, {
    cors: true,
    components: { logger: createLogger('mock', { level: 'silent' }) },
    config: {
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      upstreamProxy: undefined,
      // Examples instead of random values, so that the same request always gets the same response.
      mock: { dynamic: false },
    },
  });
  let prismUrl = '';
  const front = mockFront(() => prismUrl).listen(port, host);
  await once(front, 'listening');
  prismUrl = await server.listen(0, '127.0.0.1');
  const { address, family, port: taken } = front.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    async close() {
      front.closeAllConnections();
      front.close();
      await server.close();
    },
  };
}

async function main(): Promise<void> {
  const { CUBBY_MOCK_PORT = '7410', CUBBY_HOST = '127.0.0.1' } = process.env;
  if (!/^\d{1,5}$/.test(CUBBY_MOCK_PORT) || Number(CUBBY_MOCK_PORT) > 65_535) {
    console.error(`CUBBY_MOCK_PORT must be a port from 0 to 65535, not "${CUBBY_MOCK_PORT}".`);
    process.exitCode = 1;
    return;
  }
  // When Prism fails in another way, the request gets 500 and the mock continues.
  process.on('unhandledRejection', (reason) => console.error(reason));
  const { url } = await startPrism({ port: Number(CUBBY_MOCK_PORT), host: CUBBY_HOST });
  console.log(`The mock of the contract listens on ${url}. It answers with the contract's examples and accepts any API key.

  curl '${url}/v1/objects?limit=10' -H 'Authorization: Bearer any'
  curl '${url}/v1/objects?name=april' -H 'Authorization: Bearer any' -F file=@package.json
  curl -i '${url}/v1/objects?name=april' -H 'Authorization: Bearer any' -F file=@package.json \\
    -H 'Prefer: code=409, example=OBJECT_ALREADY_EXISTS'

mocks/README.md explains how to get every error. Ctrl+C stops it.`);
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(`The mock cannot start: ${error.message}`);
    process.exitCode = 1;
  });
}
