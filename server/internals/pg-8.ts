import type { Duplex } from 'node:stream';

/**
 * Returns the socket of a client of pg 8.23, or its TLS stream. The types of pg have neither.
 *
 * Why: statements of one turn of the event loop travel in one packet only if the stream is corked, and a client whose
 * server does not answer can only be ended at its stream, because `end()` waits for the server. The option `stream` is
 * no way to it: over TLS, pg writes to a stream that it makes itself.
 *
 * What would break: the members `connection` and `stream`. Call it anew each time, because pg replaces the stream when
 * TLS begins.
 */
export function streamOf(client: object): Duplex {
  return (client as { readonly connection: { readonly stream: Duplex } }).connection.stream;
}
