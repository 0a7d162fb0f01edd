import type { IncomingMessage, ServerResponse } from 'node:http';

import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '#test/support/server.ts';
import { Doors } from './doors.ts';
import { runEpisode } from './episode.ts';
import { runFuzz, type FuzzResult } from './fuzz-run.ts';
import { sampleOf } from './make/patterns.ts';
import { Random } from './random.ts';
import { caseOf, replay } from './saved-case.ts';

/** A defect of a server, the operation that has it, and what the fuzz test must say. */
interface Defect {
  readonly operation: string;
  readonly says: RegExp;
  isAt(req: IncomingMessage): boolean;
  plant(req: IncomingMessage, res: ServerResponse): void;
}

const replaceBody = (res: ServerResponse, body: string) => {
  const end = res.end.bind(res);
  res.end = ((_chunk: unknown, ...rest: unknown[]) => {
    res.setHeader('Content-Length', Buffer.byteLength(body));
    return (end as (...given: unknown[]) => ServerResponse)(body, ...rest);
  }) as typeof res.end;
};

let extraLog = '';
const defects: Readonly<Record<string, Defect>> = {
  // Only an earlier response names an upload.
  'a 500 in a deep state': {
    operation: 'getChunkedUpload',
    says: /An unplanned 500/,
    isAt: ({ url = '', method }) => method === 'GET' && /^\/v1\/objects\/chunked\?upload=[\w.~-]{40,}$/.test(url),
    plant: (_req, res) => void res.writeHead(500).end(),
  },
  'a missing header': {
    operation: 'getSettings',
    says: /header X-Request-Id is missing/,
    isAt: ({ url }) => url === '/v1/account/settings',
    plant: (_req, res) => {
      const setHeader = res.setHeader.bind(res);
      res.setHeader = (name, value) => (name.toLowerCase() === 'x-request-id' ? res : setHeader(name, value));
    },
  },
  'a body that breaks its schema': {
    operation: 'getStats',
    says: /must have required property/,
    isAt: ({ url, method }) => url === '/v1/account/stats' && method === 'GET',
    plant: (_req, res) => replaceBody(res, '{"status":"success","response":{}}'),
  },
  'a connection that breaks': {
    operation: 'listModels',
    says: /The connection broke/,
    isAt: ({ url }) => url === '/v2/ai/models',
    plant: ({ socket }) => socket.destroy(),
  },
  'XML that is not closed': {
    operation: 's3.ListBuckets',
    says: /Not XML/,
    isAt: ({ url, method, headers }) =>
      url === '/' && method === 'GET' && headers.authorization?.startsWith('AWS4') === true,
    plant: (_req, res) => replaceBody(res, '<a><b></a>'),
  },
  'a stack trace': {
    operation: 'revokeKey',
    says: /shows the server's insides/,
    isAt: ({ url = '', method }) => method === 'DELETE' && url.startsWith('/v1/account/keys/'),
    plant: (_req, res) =>
      replaceBody(res, '{"message":"Error: x\\n    at f (/srv/node_modules/a.js:1:2)"}'.replace('\\n', '\n')),
  },
  'a fault in the log': {
    operation: 'getChatUsage',
    says: /The log has a fault/,
    isAt: ({ url }) => url === '/v2/ai/usage',
    plant: (_req, res) =>
      void res.once(
        'finish',
        () => (extraLog += `{"message":"fault","request_id":"${String(res.getHeader('x-request-id'))}"}\n`),
      ),
  },
};

let sick: TestServer;
let healthy: TestServer;
let result: FuzzResult;
let keys: { readonly sick: string; readonly healthy: string };
beforeAll(async () => {
  healthy = await startTestServer({ ownStores: true });
  sick = await startTestServer({
    ownStores: true,
    door: (_name, real) => (req, res) => {
      for (const defect of Object.values(defects)) if (defect.isAt(req)) defect.plant(req, res);
      if (!req.socket.destroyed && !res.writableEnded) real(req, res);
    },
  });
  keys = { sick: await sick.operatorKey(), healthy: await healthy.operatorKey() };
  const operations = [...Object.values(defects).map(({ operation }) => operation), 'uploadObject', 'createKey'];
  result = await runFuzz(
    { urls: sick.running.urls, stderr: () => extraLog },
    {
      seed: 7,
      firstEpisode: 0,
      requests: 800,
      length: 100,
      lanes: 4,
      mostProblems: 1000,
      operatorKey: keys.sick,
      weights: operations.map((id) => [1, id]),
    },
  );
});
afterAll(async () => {
  await sick?.stop();
  await healthy?.stop();
});

describe('a server with planted defects', () => {
  const problemWith = ({ operation, says }: Defect) =>
    result.found.find(({ step }) => step.request.operation === operation && says.test(step.problems.join(' ')));

  it.each(Object.entries(defects))('%s is found', (_name, defect) => {
    expect(problemWith(defect)).toBeDefined();
  });

  it.each(Object.entries(defects).filter(([name]) => name !== 'a fault in the log'))(
    '%s is found again by its saved case, and not at a server without it',
    async (_name, defect) => {
      const saved = JSON.parse(JSON.stringify(caseOf(problemWith(defect)!, keys.sick)));
      const [atSick, atHealthy] = [new Doors({ ...sick.running.urls }), new Doors({ ...healthy.running.urls })];
      expect((await replay(saved, atSick, keys.sick)).join(' ')).toMatch(defect.says);
      expect(await replay(saved, atHealthy, keys.healthy)).toEqual([]);
      atSick.close();
      atHealthy.close();
    },
  );
});

describe('runEpisode()', () => {
  it('sends the same requests again for the same seed', async () => {
    const sent = async () => {
      const doors = new Doors({ ...healthy.running.urls });
      const steps: string[] = [];
      const weights = [
        'uploadObject',
        'listObjects',
        'completeChunkedUpload',
        'createShare',
        's3.CompleteMultipartUpload',
      ].map((id) => [1, id] as const);
      await runEpisode(
        doors,
        { seed: 3, episode: 4, length: 80, weights, operatorKey: keys.healthy },
        ({ request, heard }) => void steps.push(`${request.operation} ${request.broken} ${heard.answer?.status}`),
      );
      doors.close();
      return steps;
    };
    const first = await sent();
    expect(new Set(first).size).toBeGreaterThan(20);
    expect(await sent()).toEqual(first);
  });
});

describe('sampleOf()', () => {
  it('throws for a pattern that it does not know', () => {
    expect(() => sampleOf('^new$', new Random(1), 3)).toThrow('Add one');
  });
});
