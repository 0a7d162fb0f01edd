import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A minimal proxy: forwards requests over keep-alive connections. Started by `ai.ts`. */
const agent = new Agent({ keepAlive: true });
const upstream = new URL(process.argv[2]!);
const server = createServer((req, res) => {
  const { host: _host, authorization: _credential, ...headers } = req.headers;
  const passed = request(
    { agent, hostname: upstream.hostname, port: upstream.port, method: req.method!, path: req.url!, headers },
    (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    },
  );
  req.pipe(passed);
});
server.listen(0, '127.0.0.1', () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));
process.on('disconnect', () => process.exit(0));
