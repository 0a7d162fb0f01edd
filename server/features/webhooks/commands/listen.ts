import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { InvalidArgumentError, type Command } from 'commander';

import { hmacSignature } from '../webhook-secrets.ts';
import { Failure, messageOf, type Operator } from '#server/cli/operator.ts';
import { parseEventStream, type ServerSentEvent } from './parse-event-stream.ts';
import { untilStopped } from '#server/cli/until-stopped.ts';

interface Options {
  readonly key: string;
  readonly forward: string;
  readonly server?: string;
  readonly secret?: string;
  readonly since?: string;
}

const about = `bring the events of an account to a local address, until SIGINT or SIGTERM

It needs no data folder and no tunnel: it reads GET /v1/events as a stream, and posts each event to the address as a
webhook does, signed with a secret that it prints. Events come one after the other. See docs/events.md.`;

/** The longest pause before it connects again. */
const longestPauseMs = 30_000;

/** How long the local address has for a response. */
const forwardMs = 15_000;

export function addListen(cubby: Command, operator: Operator): void {
  cubby
    .command('listen')
    .description(about)
    .requiredOption('--key <key>', 'API key of the account, with the scope blob:read')
    .requiredOption('--forward <url>', 'address that each event is posted to', httpUrl)
    .option(
      '--server <url>',
      'address of the API; default: CUBBY_BASE_URL, CUBBY_API_URL or http://localhost:7400',
      httpUrl,
    )
    .option('--secret <secret>', 'whsec_… to sign with, instead of a new one')
    .option('--since <cursor>', 'a cursor of GET /v1/events to begin at; default: what happens from now on')
    .action(async (options: Options) => {
      await untilStopped(({ signal }) => listen(operator, options, signal));
    });
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('An address begins with http:// or https://, such as http://localhost:3000.');
  return url.href;
}

async function listen(operator: Operator, options: Options, signal: AbortSignal): Promise<void> {
  const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
  const server = options.server ?? serverOf(operator);
  operator.tell(`Events of ${new URL(server).origin} go to ${options.forward}. Secret: ${secret}`);
  let cursor = options.since ?? 'latest';
  for (let pauseMs = 1000; !signal.aborted; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
    try {
      for await (const event of eventsFrom(server, options.key, cursor, signal)) {
        pauseMs = 1000;
        if (event.event === 'truncated') operator.tell('Some events are no longer kept. Going on at the oldest one.');
        else await forward(operator, { url: options.forward, secret }, event, signal);
        cursor = event.id ?? cursor;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Failure) throw error;
      operator.tell(`The connection to the server ended (${messageOf(error)}). Trying again.`);
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

function serverOf(operator: Operator): string {
  const { urls, ports } = operator.config();
  return urls.base ?? urls.api ?? `http://localhost:${ports.api}`;
}

/** @throws {Failure} if the server refuses the key or the cursor: trying again would not help */
async function* eventsFrom(
  server: string,
  key: string,
  cursor: string,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  const address = `${server.replace(/\/$/, '')}/v1/events?cursor=${encodeURIComponent(cursor)}`;
  const response = await fetch(address, {
    headers: { authorization: key, accept: 'text/event-stream' },
    signal,
  });
  if (response.status >= 400 && response.status < 500 && response.status !== 429)
    throw new Failure(`The server refuses: ${response.status} ${await response.text()}`);
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
  yield* parseEventStream(response.body.pipeThrough(new TextDecoderStream()));
}

async function forward(
  operator: Operator,
  { url, secret }: { readonly url: string; readonly secret: string },
  { data }: ServerSentEvent,
  signal: AbortSignal,
): Promise<void> {
  const { id, type } = JSON.parse(data) as { id: string; type: string };
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = hmacSignature(secret, `${id}.${timestamp}.${data}`);
  let result: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      },
      body: data,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(forwardMs)]),
    });
    await response.body?.cancel();
    result = String(response.status);
  } catch (error) {
    if (signal.aborted) throw error;
    result = messageOf(error);
  }
  operator.write(`${type} ${id} -> ${result}\n`);
}
