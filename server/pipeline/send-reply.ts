import type { Request, Response } from 'express';

import type { Reply, Representation } from '#generated/router.ts';
import { BlobMissing } from '#server/domain/ports/blobs.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import type { Metrics } from '#server/metrics.ts';
import { sendJson } from './render.ts';
import { sendFile } from './send-file.ts';

interface Deps {
  readonly metrics: Pick<Metrics, 'bytesSent'>;
}

/** A file that is written over between its look-up and its opening is looked up again; more often than this it cannot be mere chance. */
const maxTries = 3;

/**
 * Sends what `run` replies. When the bytes of a file have gone since it was looked up, it runs again: another form of the file may stand
 * there, or a refusal. Nothing but the sending of a file makes it run again.
 *
 * @throws whatever `run` throws; BlobMissing when the bytes are lost
 */
export async function sendReplyOf(deps: Deps, req: Request, res: Response, run: () => Promise<Reply>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const reply = await run();
    try {
      return await sendReply(deps, req, res, reply);
    } catch (error) {
      if (!(error instanceof BlobMissing) || res.headersSent || tries === maxTries) throw error;
    }
  }
}

async function sendReply(
  deps: Deps,
  req: Request,
  res: Response,
  { status, body, headers = {} }: Reply,
): Promise<void> {
  refuseRemainingBody(req, res);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (isRepresentation(body)) return sendFile(deps, req, res, body);
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  if (body === undefined) return void res.writeHead(status).end();
  if (typeof body === 'string' || body instanceof Uint8Array) return void res.writeHead(status).end(body);
  sendJson(res, status, body);
}

function isRepresentation(body: unknown): body is Representation {
  return typeof body === 'object' && body !== null && 'open' in body;
}
