import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * The limit of the runtime: plain handlers that store and serve files in the folder of the first argument, without
 * routes, checks or a database. Started by `servers.ts`.
 *
 * - `POST /<name>` hashes the body with MD5, writes it and syncs it before the response.
 * - `GET /small/<name>` reads a small file whole. `GET /large/<name>` streams one in the chunks that Node chooses.
 * - `GET /json` returns a fixed object.
 */
const [directory] = process.argv.slice(2);
const json = Buffer.from(
  JSON.stringify({
    status: 'success',
    response: { id: 'pub/204815162342108999/photo.png', size: 4096, text: 'x'.repeat(350) },
  }),
);
let stored = 0;

async function store(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const handle = await open(join(directory!, `stored-${stored++ % 64}`), 'w');
  const md5 = createHash('md5');
  for await (const chunk of req as AsyncIterable<Buffer>) {
    md5.update(chunk);
    await handle.write(chunk);
  }
  await handle.sync();
  await handle.close();
  send(res, Buffer.from(JSON.stringify({ md5: md5.digest('hex') })));
}

async function serve(path: string, res: ServerResponse): Promise<void> {
  const [, kind, name] = path.split('/');
  if (kind === 'small') return send(res, await readFile(join(directory!, name!)));
  await pipeline(createReadStream(join(directory!, name!)), res);
}

function send(res: ServerResponse, body: Buffer): void {
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

const server = createServer((req, res) => {
  if (req.url === '/json') return send(res, json);
  (req.method === 'POST' ? store(req, res) : serve(req.url!, res)).catch(() => res.destroy());
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
