/** What a server of somebody else's sent is larger than anything that is read from it. */
export class BodyTooLarge extends Error {
  constructor() {
    super('The body is too large.');
    this.name = 'BodyTooLarge';
  }
}

/**
 * Reads a body as UTF-8 text, without a mark of its byte order. Leaving the loop closes the stream, and its connection with it.
 *
 * @throws {BodyTooLarge} as soon as it is
 */
export async function boundedText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A JSON value, or `undefined` where the text is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The fields of a JSON object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
