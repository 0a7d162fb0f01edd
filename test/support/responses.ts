import type { TestAnswer, TestServer } from './server.ts';

/** Sends a request in the form of Open Responses. */
export function respond(
  server: TestServer,
  credential: string,
  body: object,
  signal?: AbortSignal,
): Promise<TestAnswer> {
  return server.send('/v2/ai/responses', {
    method: 'POST',
    credential,
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** Returns the data of each event, parsed except for `[DONE]`. Each must name the type of its data as its event. */
export function eventsOf({ body }: Pick<TestAnswer, 'body'>): readonly any[] {
  const blocks = body.toString().split('\n\n');
  return blocks
    .filter((block) => /^(event|data):/.test(block))
    .map((block) => {
      const [, name, data] = /^(?:event: (.*)\n)?data: (.*)$/.exec(block)!;
      const event = data === '[DONE]' ? data : (JSON.parse(data!) as any);
      if (event.type !== name) throw new Error(`The event ${name} has data of the type ${event.type}.`);
      return event;
    });
}
