import { startTestServer, type TestAnswer, type TestServer } from '#test/support/server.ts';

/** Sends a sign-in to a server whose address keeps no `Secure` cookies. */
export async function signInOverHttp(
  door: 'api' | 'operator',
  path: string,
  bodyOf: (server: TestServer) => Promise<unknown>,
): Promise<TestAnswer> {
  const server = await startTestServer({
    env: { [`CUBBY_${door.toUpperCase()}_URL`]: 'http://cubby.example.invalid' },
  });
  const response = await fetch(`http://127.0.0.1:${server.running.ports[door]}${path}`, {
    method: 'POST',
    body: JSON.stringify(await bodyOf(server)),
  });
  const body = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  return { status, headers, body, json: () => JSON.parse(body.toString()) };
}
