import type { IncomingMessage, ServerResponse } from 'node:http';

/** A step of request handling, for Node's own server and for Express. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** A step that ends at once, before anything can reject the request. */
export type Prepare = (req: IncomingMessage, res: ServerResponse) => void;
