import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A minimal server with the same responses: no routes, no checks, no database. Started by `overhead.ts`. */
const answers = new Map<string, Buffer>([
  [
    '/json',
    Buffer.from(
      JSON.stringify({
        status: 'success',
        response: { id: 'pub/204815162342108999/photo.png', size: 4096, text: 'x'.repeat(350) },
      }),
    ),
  ],
  ['/file', Buffer.alloc(4096, 'x')],
]);
const server = createServer((req, res) => {
  const body = answers.get(req.url!)!;
  res.setHeader('Content-Length', body.length);
  res.end(body);
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
