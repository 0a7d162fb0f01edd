import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Request, RequestHandler, Response } from 'express';

import { policies, type OperationId } from '#generated/policies.ts';

/**
 * The operations whose path has no parameters, by method and path. Express tries its routes one after the other and
 * changes the prototypes of each request, which takes longer than most operations. So these are found here, and
 * Express gets the other requests.
 */
export class DirectRoutes {
  readonly #handlers = new Map<string, RequestHandler>();

  /** Adds the handler of an operation, if its path has no parameters. */
  add(operationId: OperationId, handler: RequestHandler): void {
    const { method, path } = policies[operationId];
    if (path.includes('{')) return;
    this.#handlers.set(`${method.toUpperCase()} ${path}`, handler);
    if (method === 'get') this.#handlers.set(`HEAD ${path}`, handler);
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
