/** Takes in bytes while they flow, such as a hash. */
interface Taking {
  update(bytes: Uint8Array): unknown;
}

/**
 * Passes bytes on and gives each chunk to `taking` first.
 *
 * @param atEnd called after the last byte. Its error ends the bytes
 */
export async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  taking: Taking,
  atEnd: () => void = () => {},
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    taking.update(chunk);
    yield chunk;
  }
  atEnd();
}
