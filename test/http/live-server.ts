import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A real server on a free port, closed by `await using`. */
export interface LiveServer extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
  readonly url: string;
}

/** Starts an HTTP server for one test. `prepare` may configure it before it listens. */
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

/** A TCP connection to a server, for bytes that no HTTP client would send. */
export interface RawClient {
  readonly socket: Socket;
  /** Returns all text that the server has sent so far. */
  received(): string;
  /** Resolves when the text has arrived. */
  until(text: string): Promise<void>;
  /** Resolves with everything that the server has sent, once it has closed the connection. */
  closed(): Promise<string>;
}

/** Connects. Errors of the connection are expected in these tests and only end it. */
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

/** Sends one request unchanged. Returns everything that the server sends until it closes the connection. */
export async function rawExchange(port: number, request: string | Buffer): Promise<string> {
  const client = await rawClient(port);
  client.socket.write(request);
  return client.closed();
}
