/**
 * `npm run mock`: a mock of the whole contract. It checks requests with the server's own code and responds with the
 * contract's examples. It stores nothing. `mocks/README.md` lists its other limits.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { protocolAnswer } from '#server/compose/protocol-answer.ts';
import { acceptExpectations } from '#server/http/continue.ts';
import { apiCors } from '#server/http/cors.ts';
import { allowHalfClose } from '#server/http/half-close.ts';
import { inOriginForm } from '#server/http/origin-form.ts';
import { answerProtocolErrors, requireClearHead, type DescribeFault } from '#server/http/protocol-errors.ts';
import { mockDoors, type MockDoors } from './mock/doors.ts';
import { openExamples } from './mock/examples.ts';
import { mockConfig } from './mock/settings.ts';
import { storiesPath, storyPages } from './mock/story-pages.ts';
import { StoryRuns } from './mock/story-runs.ts';
import { settingLines } from './own-settings.ts';

const bundle = join(import.meta.dirname, '../generated/openapi.json');

export interface Mock {
  /** `http://127.0.0.1:7410`, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

interface MockOptions {
  /** 0 means any free port. */
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
}

/**
 * Starts the mock in this process.
 *
 * @throws when the port is taken
 */
export async function startMock({ port, host = '127.0.0.1' }: MockOptions): Promise<Mock> {
  const document = JSON.parse(await readFile(bundle, 'utf8'));
  const runs = new StoryRuns();
  const examples = await openExamples(document);
  const server = openServer();
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
  const doors = await mockDoors({ document, examples, runs, url });
  server.on('request', requireClearHead(inOriginForm(front(doors, runs)), describeFault));
  return {
    url,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const describeFault: DescribeFault = (error) => protocolAnswer(['api', 'files'], error);

function openServer(): Server {
  const server = createServer({ requireHostHeader: false });
  acceptExpectations(server);
  allowHalfClose(server);
  answerProtocolErrors(server, describeFault);
  return server;
}

/** Chooses the door by the path, because all doors share one port. */
function front(doors: MockDoors, runs: StoryRuns): RequestListener {
  const pages = storyPages(runs);
  const cors = apiCors({ methods: ['GET', 'HEAD', 'DELETE'], exposedHeaders: [], maxAgeSeconds: 7200 });
  return (req, res) => {
    const path = req.url!.split('?', 1)[0]!;
    if (path === storiesPath || path.startsWith(`${storiesPath}/`)) return cors(req, res, () => pages(req, res));
    if (/^\/[dsr]\//.test(path)) return doors.files(req, res);
    if (/^\/\d{18}\//.test(path)) return doors.public(req, res);
    if (path.startsWith('/v2/operator/') || path === '/metrics') return doors.operator(req, res);
    doors.api(req, res);
  };
}

async function main(): Promise<void> {
  const { CUBBY_MOCK_PORT = '7410', CUBBY_HOST = '127.0.0.1' } = process.env;
  if (!/^\d{1,5}$/.test(CUBBY_MOCK_PORT) || Number(CUBBY_MOCK_PORT) > 65_535) {
    console.error(`CUBBY_MOCK_PORT must be a port from 0 to 65535, not "${CUBBY_MOCK_PORT}".`);
    process.exitCode = 1;
    return;
  }
  const { url } = await startMock({ port: Number(CUBBY_MOCK_PORT), host: CUBBY_HOST });
  console.log(`The mock of the contract listens on ${url}. It refuses what the server refuses, and otherwise
answers with the contract's examples. It accepts any API key.

  curl '${url}/v1/objects?limit=10' -H 'Authorization: Bearer any'
  curl '${url}/v1/objects?name=april' -H 'Authorization: Bearer any' -F file=@package.json
  curl -i '${url}/v1/objects?name=april' -H 'Authorization: Bearer any' -F file=@package.json \\
    -H 'Prefer: code=OBJECT_ALREADY_EXISTS'
  curl '${url}${storiesPath}'

It differs from a server without settings in this:

${settingLines(mockConfig)
  .map((line) => `  ${line}`)
  .join('\n')}

mocks/README.md explains how to get every error, and the stories. Ctrl+C stops it.`);
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(`The mock cannot start: ${error.message}`);
    process.exitCode = 1;
  });
}
