import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Request, RequestHandler, Response } from 'express';

import { policies } from '#generated/policies.ts';
import type { Handle } from '#generated/router.ts';

/**
 * The operations whose path has no parameters, by method and path. Express tries its routes one after the other and
 * changes the prototypes of each request, which takes longer than most operations. So these are found here, and
 * Express gets the other requests.
 */
export class DirectRoutes {
  readonly #handlers = new Map<string, RequestHandler>();

  /** Returns the same `handleOf`, which also adds each operation here. */
  adding<Context>(handleOf: Handle<Context>): Handle<Context> {
    return (operationId, operation) => {
      const handler = handleOf(operationId, operation);
      const { method, path } = policies[operationId];
      if (!path.includes('{') && typeof handler === 'function') this.#add(method.toUpperCase(), path, handler);
      return handler;
    };
  }

  #add(method: string, path: string, handler: RequestHandler): void {
    this.#handlers.set(`${method} ${path}`, handler);
    if (method === 'GET') this.#handlers.set(`HEAD ${path}`, handler);
  }

  /** Handles the request if its operation is here. Returns whether it does. */
  handle(req: IncomingMessage, res: ServerResponse): boolean {
    const { method, url = '' } = req;
    const query = url.indexOf('?');
    const handler = this.#handlers.get(`${method} ${query === -1 ? url : url.slice(0, query)}`);
    // Operations need nothing that Express adds.
    handler?.(req as Request, res as Response, () => {});
    return handler !== undefined;
  }
}
