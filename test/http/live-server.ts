import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A real server on a free port, closed by `await using`. */
export interface LiveServer extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
  readonly url: string;
}

/** Starts an HTTP server for one test; `prepare` may attach more to it before it listens. */
export async function liveServer(app: RequestListener, prepare?: (server: Server) => void): Promise<LiveServer> {
  const server = createServer(app);
  prepare?.(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A TCP connection to a server, to say things that no HTTP client would say. */
export interface RawClient {
  readonly socket: Socket;
  /** All that the server has sent so far. */
  received(): string;
  /** Waits until the text has come. */
  until(text: string): Promise<void>;
  /** Waits until the server has closed the connection, and gives all that it has sent. */
  closed(): Promise<string>;
}

/** Connects; errors of the connection are expected in these tests and only end it. */
export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {});
  const gone = new Promise<void>((resolve) => {
    socket.once('end', () => resolve());
    socket.once('close', () => resolve());
  });
  return {
    socket,
    received: () => text,
    async until(wanted) {
      while (!text.includes(wanted)) {
        if (socket.readableEnded || socket.destroyed) throw new Error(`Closed before "${wanted}" came: ${text}`);
        await Promise.race([once(socket, 'data'), gone]);
      }
    },
    async closed() {
      await gone;
      socket.destroy();
      return text;
    },
  };
}

/** Sends one request as it stands, and gives all that comes until the server closes the connection. */
export async function rawExchange(port: number, request: string | Buffer): Promise<string> {
  const client = await rawClient(port);
  client.socket.write(request);
  return client.closed();
}
