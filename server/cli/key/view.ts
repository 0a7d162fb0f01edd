import type { Config } from '#server/config/config.ts';

/** Returns the note for a new key: that it is shown only once, and how to use it. */
export function keptNowhere({ urls, ports }: Config, credential: string): string {
  const base = urls.base ?? urls.api ?? `http://localhost:${ports.api || '<port>'}`;
  return `Save the API key now: it is shown only once and stored nowhere. It works at once, also on a running server:

  curl -H "Authorization: ${credential}" "${base}/v1/objects"`;
}
