import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A server's open connections, each with its answers that are not finished. */
interface Watch {
  readonly connections: Map<Socket, Set<ServerResponse>>;
  stopping: boolean;
}

const watched = new WeakMap<Server, Watch>();

/**
 * Begins to keep count of a server's connections and unfinished answers, for `stopGracefully()`. To be called before
 * the server listens; a second call does nothing.
 */
export function watchConnections(server: Server): void {
  watch(server);
}

function watch(server: Server): Watch {
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
  // In front of the application, so that "Connection: close" can still be set.
  server.prependListener('request', onRequest);
  return state;
}

/** An answer whose head is out cannot say so any more; its connection is closed after it all the same. */
function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

/**
 * Stops servers without breaking off an answer: no new connections; connections without a request are closed; the
 * other ones are closed after their answer, which says `Connection: close` if it still can; and what is left after
 * `timeoutMs` is destroyed. Servers that do not listen count as stopped.
 *
 * @returns whether all answers were finished in time
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
  const state = watch(server);
  state.stopping = true;
  const closed = new Promise<void>((resolve) => {
    // The one error there is says that the server was not listening.
    server.close(() => resolve());
  });
  for (const [socket, answers] of state.connections) {
    // Node leaves a connection alone that has not yet sent its first request; browsers open such ones ahead of need.
    if (answers.size === 0) socket.destroy();
    for (const res of answers) announceClose(res);
  }
  return closed;
}
