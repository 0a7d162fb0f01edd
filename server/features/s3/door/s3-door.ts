import type { RequestListener } from 'node:http';

import { apiCors } from '#server/http/cors.ts';
import { requestId } from '#server/http/request-id.ts';
import { openDoor, type DoorDeps } from '#server/pipeline/listener.ts';
import type { Answer } from '#server/pipeline/pipeline.ts';
import { contextOf } from '#server/pipeline/request-context.ts';
import type { S3Stores } from './context.ts';
import { S3Exchange, type LoadRoutes } from './s3-exchange.ts';

interface Deps extends DoorDeps {
  readonly answer: Answer;
  readonly stores: S3Stores;
}

/** The S3 gateway: three buckets over the files of the account whose key signs the request. */
export function s3Door({ answer, stores, ...deps }: Deps): RequestListener {
  const s3Host = new URL(stores.s3Url).hostname;
  const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'];
  const cors = apiCors({ methods, exposedHeaders: ['*'], maxAgeSeconds: 7200 });
  // The operations are loaded for the first request, because many servers never get one.
  let routes: ReturnType<LoadRoutes> | undefined;
  const loadRoutes: LoadRoutes = () => (routes ??= import('./routes.ts'));
  return openDoor('s3', deps, (req, res) =>
    cors(req, res, () => {
      res.setHeader('x-amz-request-id', requestId(res));
      res.setHeader('CDN-Cache-Control', 'no-store');
      res.setHeader('Cache-Control', 'private, no-store');
      const context = contextOf(res);
      void answer(context, new S3Exchange(stores, s3Host, loadRoutes, context));
    }),
  );
}
