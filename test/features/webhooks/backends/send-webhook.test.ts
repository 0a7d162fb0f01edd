import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { allowedAddress, isAllowedUrl } from '#server/backends/outbound/allowed-address.ts';
import { webhookSender } from '#server/features/webhooks/backends/send-webhook.ts';

/** Addresses that lead into the operator's network, in the notations that have fooled such checks elsewhere. */
const privateUrls = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://①②⑦.⓪.⓪.①/',
];

const odd = [
  '',
  'example.com',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://example.com/#fragment',
  ' https://example.com/',
  'https://exa\nmple.com/',
  'https:\\\\example.com\\',
  'https://',
];

const message = {
  id: 'evt_1',
  timestamp: 1,
  signature: 'v1,a',
  body: '{}',
  signal: new AbortController().signal,
};

async function listening(answer: Parameters<typeof createServer>[1]): Promise<{ server: Server; port: number }> {
  const server = createServer(answer!);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

describe('isAllowedUrl()', () => {
  const isPublic = allowedAddress(false);

  it.each([...privateUrls, ...odd])('refuses %j', (url) => {
    expect(isAllowedUrl(url, isPublic)).toBe(false);
  });

  it('takes public addresses and names, and private ones that the operator allows', () => {
    for (const url of [
      'https://example.com/a?b=c',
      'http://93.184.216.34:8080/',
      'https://[2606:2800::1]/',
      'https://münchen.example/',
    ])
      expect(isAllowedUrl(url, isPublic), url).toBe(true);
    const some = allowedAddress(['10.0.0.0/8', '127.0.0.1']);
    expect(
      ['http://10.9.9.9/', 'http://127.0.0.1/', 'http://127.0.0.2/', 'http://192.168.0.1/'].map((url) =>
        isAllowedUrl(url, some),
      ),
    ).toEqual([true, true, false, false]);
    expect(isAllowedUrl('http://192.168.0.1/', allowedAddress(true))).toBe(true);
  });
});

describe('webhookSender()', () => {
  const refused = { status: null, error: expect.stringContaining('CUBBY_WEBHOOK_ALLOW_PRIVATE') };

  it.each(privateUrls.filter((url) => !url.includes('localhost') && !url.includes('LOCALHOST')))(
    'connects to no private address: %s',
    async (url) => {
      expect(await webhookSender({ isAllowed: allowedAddress(false) }).send({ ...message, url })).toMatchObject(
        refused,
      );
    },
  );

  it('looks a name up at each attempt, and refuses it if any of its addresses is private', async () => {
    let calls = 0;
    const { port } = await listening((_req, res) => {
      calls++;
      res.end();
    });
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
      [{ address: '::ffff:127.0.0.1', family: 6 }],
      [],
    ];
    let asked = 0;
    const sender = webhookSender({ isAllowed: allowedAddress(false), lookUp: async () => answers[asked++]! });
    for (let at = 0; at < answers.length; at++)
      expect(await sender.send({ ...message, url: `http://hook.example:${port}/` })).toMatchObject(refused);
    expect([asked, calls]).toEqual([answers.length, 0]);
  });

  it('connects to the address that was checked, and sends the name as the host', async () => {
    const hosts: unknown[] = [];
    const { port } = await listening((req, res) => {
      hosts.push(req.headers.host);
      res.writeHead(204).end();
    });
    let asked = 0;
    const sender = webhookSender({
      isAllowed: allowedAddress(['127.0.0.1']),
      lookUp: async () => {
        asked++;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const url = `http://hook.example:${port}/a?b=c`;
    expect(await sender.send({ ...message, url })).toEqual({ status: 204, error: null, retryAfterMs: 0 });
    expect(await sender.send({ ...message, url })).toMatchObject({ status: 204 });
    expect([asked, hosts]).toEqual([2, [`hook.example:${port}`, `hook.example:${port}`]]);
  });

  it('ends an attempt in time, and reads no endless body', async () => {
    const { port: silent } = await listening(() => {});
    const { port: endless } = await listening((_req, res) => {
      res.writeHead(200);
      const more = setInterval(() => res.write('x'.repeat(1000)), 1);
      res.on('close', () => clearInterval(more));
    });
    const sender = webhookSender({ isAllowed: allowedAddress(true), timeoutMs: 300 });
    const began = performance.now();
    expect(await sender.send({ ...message, url: `http://127.0.0.1:${silent}/` })).toEqual({
      status: null,
      error: 'The endpoint did not answer within 0.3 seconds.',
      retryAfterMs: 0,
    });
    expect(await sender.send({ ...message, url: `http://127.0.0.1:${endless}/` })).toMatchObject({
      status: 200,
      error: null,
    });
    expect(performance.now() - began).toBeLessThan(10_000);
    const closed = await sender.send({ ...message, url: 'http://127.0.0.1:1/secret-path' });
    expect(closed.error).toBe('The endpoint could not be reached (ECONNREFUSED).');
  });
});
