import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Representation } from '#generated/router.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { sendRepresentation } from '#server/http/send-stream.ts';
import type { Metrics } from '#server/metrics.ts';
import { noteOperation } from './access-log.ts';
import { sendRefusal } from './render.ts';

/** The function in which all downloads end: whole or in part, or not at all when the client has the file already. */
export async function sendFile(
  { metrics }: { readonly metrics: Pick<Metrics, 'bytesSent'> },
  req: IncomingMessage,
  res: ServerResponse,
  file: Representation,
): Promise<void> {
  const { bytesSent } = await sendRepresentation(req, res, file, {
    ...(file.stop && { signal: file.stop }),
    writeRefusal: (status) =>
      sendRefusal(res, new Refusal(status === 412 ? 'PRECONDITION_FAILED' : 'RANGE_NOT_SATISFIABLE'), 'text'),
  });
  noteOperation(res, { bytes: bytesSent });
  metrics.bytesSent(bytesSent);
}
