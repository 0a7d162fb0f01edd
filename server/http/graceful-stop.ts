import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A server's open connections, each with its unfinished responses. */
interface Watch {
  readonly connections: Map<Socket, Set<ServerResponse>>;
  stopping: boolean;
}

const watched = new WeakMap<Server, Watch>();

/**
 * Begins to track a server's connections and unfinished responses, for `stopGracefully()`. Call it before the server
 * listens. A second call does nothing.
 */
export function watchConnections(server: Server): Watch {
  const known = watched.get(server);
  if (known !== undefined) return known;

  const state: Watch = { connections: new Map(), stopping: false };
  watched.set(server, state);
  const answersOn = (socket: Socket): Set<ServerResponse> => {
    const answers = state.connections.get(socket) ?? new Set();
    if (!state.connections.has(socket)) {
      state.connections.set(socket, answers);
      socket.once('close', () => state.connections.delete(socket));
    }
    return answers;
  };
  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    const answers = answersOn(req.socket);
    answers.add(res);
    if (state.stopping) announceClose(res);
    res.once('close', () => {
      answers.delete(res);
      if (state.stopping && answers.size === 0) req.socket.destroySoon();
    });
  };
  server.on('connection', answersOn);
  // Runs before the application, so that "Connection: close" can still be set.
  server.prependListener('request', onRequest);
  return state;
}

/** A response whose head was sent cannot announce it. Its connection is closed after it anyway. */
function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

/**
 * Stops servers without cutting off a response. They accept no new connections. Connections without a request are
 * closed at once, the others after their response, which says `Connection: close` if it still can. After `timeoutMs`
 * the rest is destroyed. Servers that do not listen count as stopped.
 *
 * @returns whether all responses were finished in time
 */
export async function stopGracefully(
  servers: readonly Server[],
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<boolean> {
  const stopped = Promise.all(servers.map(stop)).then(() => true);
  const deadline = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => deadline.resolve(false), timeoutMs);
  const finished = await Promise.race([stopped, deadline.promise]);
  clearTimeout(timer);
  for (const server of servers) server.closeAllConnections();
  await stopped;
  return finished;
}

function stop(server: Server): Promise<void> {
  const state = watchConnections(server);
  state.stopping = true;
  const closed = new Promise<void>((resolve) => {
    // The only possible error says that the server was not listening.
    server.close(() => resolve());
  });
  for (const [socket, answers] of state.connections) {
    // Node keeps connections without a first request, which browsers open in advance.
    if (answers.size === 0) socket.destroy();
    for (const res of answers) announceClose(res);
  }
  return closed;
}
