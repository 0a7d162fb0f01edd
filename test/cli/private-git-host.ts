import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

interface Host {
  /** The folder with the repositories. */
  readonly folder: string;
  /** The only accepted `Authorization`. */
  readonly authorization: string;
  /** Whether it speaks only the older protocol, which serves only the tips of branches. */
  readonly isOld?: boolean;
}

/** Starts a host of private repositories that serves git over HTTP with git's own program. Returns its address. */
export async function privateGitHost(host: Host): Promise<string> {
  const server = createServer((req, res) => {
    if (req.headers.authorization === host.authorization) serve(host, req, res);
    else res.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** @see https://git-scm.com/docs/git-http-backend */
function serve({ folder, isOld = false }: Host, req: IncomingMessage, res: ServerResponse): void {
  const [path = '', query = ''] = req.url!.split('?');
  const header = (name: string) => String(req.headers[name] ?? '');
  const backend = spawn(join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend'), {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: req.method,
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: isOld ? '' : header('git-protocol'),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  req.pipe(backend.stdin);
  const output: Buffer[] = [];
  backend.stdout.on('data', (bytes: Buffer) => void output.push(bytes));
  backend.once('close', () => {
    const answer = Buffer.concat(output);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    res.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers)).end(answer.subarray(end + 4));
  });
}
