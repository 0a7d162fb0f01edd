import { calledUrl, type Reader } from '#server/config/values.ts';

/** Returns the address of a SearXNG instance. */
export function searchUrl(reader: Reader): string | undefined {
  const value = reader.text('CUBBY_SEARCH_URL');
  const found = value && calledUrl(reader, 'CUBBY_SEARCH_URL', value, 'http://127.0.0.1:8888');
  return reader.show('CUBBY_SEARCH_URL', found);
}
