import type { IncomingMessage, ServerResponse } from 'node:http';

/** A step on the way of a request, for Node's own server and for Express alike. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;
