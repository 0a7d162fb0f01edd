import type { IncomingMessage, Server } from 'node:http';

import { bodyTurn } from './body-turn.ts';

/** Pieces of a body that are received without a pause. With usual chunks these are megabytes. */
const piecesAtOnce = 1000;

/**
 * Receives bodies in tiny chunks with pauses, in which other requests are served. Node counts the bytes of a body before it
 * stops reading, and a chunk of one byte costs as much as one of 64 KiB. So it would handle up to 32 packets of 64 KiB in
 * one turn of the event loop, each with ten thousand chunks. With this it stops after one, and only one such body is read
 * in a turn. Call it once for each server.
 */
export function pauseTinyChunks(server: Server): void {
  server.prependListener('request', (req) => {
    if (req.headers['transfer-encoding'] !== undefined) limitPieces(req);
  });
}

function limitPieces(req: IncomingMessage): void {
  const push = req.push.bind(req);
  const read = req._read.bind(req);
  let pieces = 0;
  // Node stops reading from the socket when this returns false, and starts again when the stream asks for more.
  req.push = (piece, encoding) => push(piece, encoding) && ++pieces < piecesAtOnce;
  req._read = (size) => {
    if (pieces < piecesAtOnce) return read(size);
    void bodyTurn().then(() => {
      pieces = 0;
      if (!req.destroyed) read(size);
    });
  };
}
