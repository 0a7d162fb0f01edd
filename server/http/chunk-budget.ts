import type { IncomingMessage, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { nextTurn, oneAfterAnother } from '#server/event-loop.ts';
import { gateBody } from '#server/internals/node-24.ts';

/** Pieces of a body that are received without a pause. With usual chunks these are megabytes. */
const piecesAtOnce = 1000;

/** About what the server needs for one piece. */
const pieceMs = 0.005;

/** Waits until a body may go on, which has received so many pieces since its last pause. */
type Pause = (pieces: () => number, req: IncomingMessage) => Promise<void>;

/**
 * Receives bodies in tiny chunks with pauses, in which other requests are served. Node counts the bytes of a body
 * before it stops reading, and a chunk of one byte costs as much as one of 64 KiB. So it would handle up to 32 packets
 * of 64 KiB in one turn of the event loop, each with ten thousand chunks. With this it stops after one. Call it once
 * for each server.
 *
 * @param pause default: such bodies go on one after the other, and together take half of the time of the event loop
 */
export function pauseTinyChunks(server: Server, pause: Pause = inTurn): void {
  server.prependListener('request', (req) => {
    if (req.headers['transfer-encoding'] !== undefined) limitPieces(req, pause);
  });
}

function limitPieces(req: IncomingMessage, pause: Pause): void {
  let pieces = 0;
  let isPaused = false;
  gateBody(req, {
    received: () => ++pieces < piecesAtOnce,
    wanted(read) {
      if (pieces < piecesAtOnce) return read();
      // A stream asks again for each piece that it has handed on.
      if (isPaused) return;
      isPaused = true;
      void pause(() => pieces, req).then(() => {
        isPaused = false;
        pieces = 0;
        if (!req.destroyed) read();
      });
    },
  });
}

const line = oneAfterAnother();

/** Resolves when the bodies that paused earlier have gone on, and this one has rested. */
function inTurn(pieces: () => number, req: IncomingMessage): Promise<void> {
  return line(async () => {
    if (req.destroyed) return;
    // The rest of a packet is received by then.
    await nextTurn();
    await sleep(pieces() * pieceMs);
  });
}
