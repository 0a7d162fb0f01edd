import type { ServerResponse } from 'node:http';

/** Sends JSON. A string body is sent unchanged. */
export function serveJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  res
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers })
    .end(text);
}

/** Announces a whole response, sends half of it and closes the connection. */
export function cutOff(res: ServerResponse, whole: string): void {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(whole) });
  res.write(whole.slice(0, whole.length / 2), () => res.destroy());
}

/** Sends a response without end, until the client closes the connection. */
export function pourOut(res: ServerResponse, start: string): void {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.write(start);
  const more = 'x'.repeat(65_536);
  const pour = (): void => {
    while (!res.destroyed && res.write(more));
  };
  res.on('drain', pour);
  pour();
}
