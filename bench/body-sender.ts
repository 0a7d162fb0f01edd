/**
 * The attack of held-bodies.ts, as a process: 1,500 connections that send all of a body of 1 MB but its last byte, and
 * then stay open. When the server ends one, it begins anew.
 */
import { connect, type Socket } from 'node:net';

const connections = 1500;
const bodyBytes = 1_048_576;

/** A route that takes a body of anybody. */
export interface Target {
  readonly url: string;
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  readonly field: string;
}

export interface Attacked {
  readonly targets: readonly Target[];
  /** The number of addresses that the connections come from. */
  readonly addresses: number;
}

const { targets, addresses } = JSON.parse(process.argv[2]!) as Attacked;
const filler = Buffer.alloc(bodyBytes, 'a');
const open = new Set<Socket>();
const statuses: Record<string, number> = {};
let isOver = false;

function begin(number: number): void {
  const { url, type, field } = targets[number % targets.length]!;
  const { hostname, port, pathname } = new URL(url);
  const from = number % addresses;
  const localAddress = `127.0.${1 + Math.floor(from / 250)}.${1 + (from % 250)}`;
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
  open.add(socket);
  socket.on('error', () => {});
  socket.once('data', (answer) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(answer.toString('latin1'))?.[1] ?? 'other';
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  socket.resume();
  socket.once('close', () => {
    open.delete(socket);
    if (!isOver) setTimeout(() => isOver || begin(number), 200);
  });
  const start = type === 'application/json' ? `{"${field}":"` : `${field}=`;
  // Every second one does not tell its size.
  const framing =
    Math.floor(number / targets.length) % 2 === 0
      ? `Content-Length: ${bodyBytes}\r\n\r\n`
      : `Transfer-Encoding: chunked\r\n\r\n${bodyBytes.toString(16)}\r\n`;
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: ${type}\r\n${framing}${start}`);
  socket.write(filler.subarray(0, bodyBytes - start.length - 1));
}

process.on('message', () => {
  isOver = true;
  for (const socket of open) socket.destroy();
  process.send!(statuses);
});
process.on('disconnect', () => process.exit());
for (let number = 0; number < connections; number++) begin(number);
