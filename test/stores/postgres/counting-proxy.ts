import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A TCP proxy that counts round trips: how often a client speaks after its server has. A look whether the database
 * answers does not count, because no request waits for it.
 */
export interface CountingProxy {
  readonly port: number;
  /** Returns the round trips since the last call, of all connections together. */
  take(): number;
  close(): Promise<void>;
}

/** The whole message of a heartbeat, see server/stores/postgres/heartbeat.ts. */
const heartbeat = Buffer.from('Q\0\0\0\rSELECT 1\0', 'latin1');

/** Starts a proxy to a port of this machine. */
export async function startCountingProxy(port: number): Promise<CountingProxy> {
  let trips = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    let hasServerSpoken = true;
    client.on('data', (bytes) => {
      if (hasServerSpoken && !bytes.equals(heartbeat)) trips += 1;
      hasServerSpoken = false;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      hasServerSpoken = true;
      client.write(bytes);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    take() {
      const taken = trips;
      trips = 0;
      return taken;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
