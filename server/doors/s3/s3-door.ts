import type { Express } from 'express';

import { refuseRemainingBody } from '#server/http/linger.ts';
import { requestId } from '#server/http/request-id.ts';
import { openDoor, type DoorDeps } from '../door.ts';

/** The S3 gateway. This version refuses everything, in the shape that S3 clients read. */
export function s3Door(deps: DoorDeps): Express {
  const app = openDoor('s3', deps);
  app.use((req, res) => {
    refuseRemainingBody(req, res);
    res.setHeader('x-amz-request-id', requestId(res));
    res.status(501).type('application/xml').send(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NotImplemented</Code><Message>This version of the server does not have the S3 gateway yet.</Message><RequestId>${requestId(res)}</RequestId></Error>`,
    );
  });
  return app;
}
