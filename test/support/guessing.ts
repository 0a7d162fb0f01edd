import { rawSend } from '#test/contract/bad-input/raw-request.ts';

type Server = Parameters<typeof rawSend>[0];

/**
 * Sends `count` wrong passwords to a link, each from its own address, `atOnce` at a time. Returns the number of
 * responses by status.
 */
export async function guess(
  server: Server,
  path: string,
  count: number,
  atOnce = 64,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  let sent = 0;
  const guessOn = async (): Promise<void> => {
    while (sent < count) {
      const number = sent++;
      const { status } = await submit(
        server,
        path,
        `guess number ${number}`,
        `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, guessOn));
  return statuses;
}

/** Sends the form of the password page from an address that a trusted proxy forwards. */
export function submit(server: Server, path: string, password: string, address: string): ReturnType<typeof rawSend> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': address };
  return rawSend(server, {
    door: 'files',
    method: 'POST',
    path,
    headers,
    body: new URLSearchParams({ password }).toString(),
  });
}
