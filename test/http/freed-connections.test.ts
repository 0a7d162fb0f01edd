import { once } from 'node:events';

import { describe, it } from 'vitest';

import { allowHalfClose } from '#server/http/half-close.ts';
import { answerProtocolErrors, requireClearHead, type DescribeFault } from '#server/http/protocol-errors.ts';
import { liveServer, rawClient } from './live-server.ts';

const head = 'GET / HTTP/1.1\r\nHost: a\r\n';

/** What a client has sent when it stops in the middle of a request. */
const beginnings: Readonly<Record<string, string>> = {
  'half a method': 'GE',
  'half a line': 'GET /pa',
  'a line': 'GET / HTTP/1.1\r\n',
  'half a field': `${head}Acc`,
  'a head without its end': head,
  'half a second head': `${head}\r\n${head}`,
  'half a head behind a request that is under way': `GET /later HTTP/1.1\r\nHost: a\r\n\r\n${head}`,
  'half a head with Upgrade': `${head}Connection: upgrade\r\nUpgrade: websocket\r\n`,
  'half a CONNECT': 'CONNECT a:1 HTTP/1.1\r\nHo',
  'a CONNECT': 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'a CONNECT behind a request that is under way':
    `GET /later HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:1 ` + `HTTP/1.1\r\nHost: a\r\n\r\n`,
  'bytes that are not HTTP': 'nonsense\r\n',
  'broken bytes behind a request that is under way': `GET /later HTTP/1.1\r\nHost: a\r\n\r\n\u0000`,
  'a head over 16 KB': `${head}X: ${'x'.repeat(20_000)}`,
};

/** What the client does then. None closes the connection. */
const ways = ['ends its side', 'is silent', 'sends a byte now and then', 'reads nothing'] as const;

const describeFault: DescribeFault = ({ fault }) => ({ status: 400, contentType: 'text/plain', body: fault });

/** A server with the settings of the real one, in less time. */
const strictServer = () =>
  liveServer(
    requireClearHead((req, res) => {
      req.resume();
      setTimeout(() => res.end('fine'), req.url === '/later' ? 30 : 0);
    }, describeFault),
    (server) => {
      Object.assign(server, { requireHostHeader: false, headersTimeout: 60, requestTimeout: 0 });
      Object.assign(server, { connectionsCheckingInterval: 10 });
      answerProtocolErrors(server, describeFault, { lingerMs: 60 });
      allowHalfClose(server);
    },
  );

const table = Object.keys(beginnings).flatMap((what) => ways.map((way) => [what, way] as const));

describe('a connection with a request that never ends', () => {
  it.concurrent.for(table)('is freed: %s from a client that %s', async ([what, way], { expect }) => {
    await using live = await strictServer();
    const accepted = once(live.server, 'connection');
    const client = await rawClient(live.port);
    await accepted;
    if (way === 'reads nothing') client.socket.pause();
    if (way === 'ends its side') client.socket.end(beginnings[what]!);
    else client.socket.write(beginnings[what]!);
    // Within the poll's 15 seconds no idle limit helps: it is two minutes in the real server, and restarts with each
    // byte.
    const bytes = setInterval(() => client.socket.writable && client.socket.write('x'), 20);
    if (way !== 'sends a byte now and then') clearInterval(bytes);
    try {
      await expect
        .poll(() => new Promise((resolve) => live.server.getConnections((_error, count) => resolve(count))))
        .toBe(0);
    } finally {
      clearInterval(bytes);
      client.socket.destroy();
    }
  });
});
