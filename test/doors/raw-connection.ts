import type { TestServer } from '#test/support/server.ts';
import { rawClient, type RawClient } from '#test/http/live-server.ts';

export type Door = 'api' | 'files' | 'public' | 's3' | 'operator';

export const doors: readonly Door[] = ['api', 'files', 'public', 's3', 'operator'];

/** Opens a raw connection to a door, for bytes that no HTTP client would send. */
export function connectTo(server: TestServer, door: Door): Promise<RawClient> {
  return rawClient(Number(new URL(server.running.urls[door]).port));
}

/** A response as it was received. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends bytes and returns everything that is received until the server closes the connection. */
export async function sayTo(server: TestServer, door: Door, bytes: string | Buffer): Promise<string> {
  const client = await connectTo(server, door);
  client.socket.write(bytes);
  return client.closed();
}

/** Parses the first response in the received text. */
export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Map(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}

/** Returns the statuses of all responses on a connection, in order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
