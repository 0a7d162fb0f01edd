import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that cuts the connection of the first requests with bytes. */
export interface CuttingProxy {
  readonly url: string;
  /** The methods of all requests, in order. */
  readonly methods: readonly string[];
  readonly cuts: number;
  close(): Promise<void>;
}

/** An append is cut behind this many bytes. */
const cutAfterBytes = 700_001;

/** Starts a proxy that cuts the first `cutsLeft` appends, once they have brought some bytes. */
export async function cuttingProxy(target: string, cutsLeft: number): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const methods: string[] = [];
  let cuts = 0;
  const pass = (req: IncomingMessage, res: ServerResponse): void => {
    methods.push(req.method!);
    const onward = httpRequest({ hostname, port, method: req.method, path: req.url, headers: req.headers });
    onward.on('error', () => res.destroy());
    onward.on('response', (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    const isCut = req.method === 'PATCH' && cutsLeft > 0 && Number(req.headers['content-length']) > cutAfterBytes;
    if (isCut) cutsLeft--;
    let leftBytes = isCut ? cutAfterBytes : Infinity;
    req.on('data', (chunk: Buffer) => {
      onward.write(chunk);
      leftBytes -= chunk.length;
      if (leftBytes > 0) return;
      cuts++;
      onward.destroy();
      req.socket.destroy();
    });
    req.on('end', () => onward.end());
    req.on('error', () => onward.destroy());
  };
  const proxy = createServer(pass);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    methods,
    get cuts() {
      return cuts;
    },
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
