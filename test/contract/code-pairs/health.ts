import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { checkAnswer } from '#test/support/contract.ts';
import type { TestAnswer } from '#test/support/server.ts';
import { expect } from 'vitest';

import { exchange } from '#test/doors/raw-request.ts';
import type { PairsOf, Provocation } from './provocation.ts';
import { faultWords } from './store-faults.ts';

/**
 * These operations use no port that could fail them, so the fault is put at the only remaining place. The real door
 * runs over a response that breaks at the first attempt to write the reply, but not at the second.
 */
function withBreakingReply(path: string, door: 'api' | 'operator' = 'api'): Provocation {
  return async ({ server }) => {
    const frontend = createServer((req, res) => {
      const setHeader = res.setHeader.bind(res);
      let isBroken = false;
      res.setHeader = (name, value) => {
        if (name === 'Cache-Control' && !isBroken) {
          isBroken = true;
          throw new TypeError(faultWords);
        }
        return setHeader(name, value);
      };
      server.running.app.doors[door](req, res);
    });
    frontend.listen(0, '127.0.0.1');
    await once(frontend, 'listening');
    try {
      const response = await fetch(`http://127.0.0.1:${(frontend.address() as AddressInfo).port}${path}`);
      const { status, headers } = response;
      const body = Buffer.from(await response.arrayBuffer());
      expect(checkAnswer({ method: 'GET', path, door, status, headers: Object.fromEntries(headers), body })).toEqual(
        [],
      );
      return { status, headers, body, json: () => JSON.parse(body.toString()) } satisfies TestAnswer;
    } finally {
      frontend.close();
      frontend.closeAllConnections();
    }
  };
}

/** Asks the operator's door as a page that pointed its own name to this machine does. */
const byForeignName = (path: string): Provocation => {
  return ({ server }) => exchange(server, path, { door: 'operator', headers: { Host: 'page.example' } });
};

export const getLiveness: PairsOf<'getLiveness'> = {
  HOST_NOT_ALLOWED: byForeignName('/livez'),
  INTERNAL_SERVER_ERROR: withBreakingReply('/livez'),
};

export const getReadiness: PairsOf<'getReadiness'> = {
  HOST_NOT_ALLOWED: byForeignName('/readyz'),
  NOT_READY: ({ server, faults }) => faults.unavailable('accounts.find', () => server.send('/readyz')),
  INTERNAL_SERVER_ERROR: withBreakingReply('/readyz'),
};

export const getMetrics: PairsOf<'getMetrics'> = {
  HOST_NOT_ALLOWED: byForeignName('/metrics'),
  INTERNAL_SERVER_ERROR: withBreakingReply('/metrics', 'operator'),
};
