import { EventStream } from '#server/http/reply.ts';
import { type Representation, sendRepresentation } from '#server/http/send-representation.ts';
import type { Account } from '#server/domain/account/account.ts';
import { isAtLeast } from '#server/domain/plan.ts';
import { BlobMissing } from '#server/domain/ports/blobs.ts';
import type { DiskSpace } from '#server/domain/ports/disk-space.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';
import { sendEventStream } from '#server/http/send-event-stream.ts';
import { setHeaders } from '#server/http/wire-headers.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import { logFault } from './access-log.ts';
import type { AnyCaller, Exchange, Reply, Requirements, Run } from './exchange.ts';
import type { RequestLimits } from './request-limits.ts';
import type { RequestContext } from './request-context.ts';

interface PipelineDeps {
  readonly limits: RequestLimits;
  readonly diskSpace: Pick<DiskSpace, 'require'>;
  /** Called for each authenticated request. Must not throw. */
  noteUse(caller: AnyCaller): void;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Responds to a request of any door. Never rejects. */
export type Answer = <Refused extends { readonly code: string }, Sender extends AnyCaller>(
  context: RequestContext,
  exchange: Exchange<Refused, Sender>,
) => Promise<void>;

/**
 * Checks a request in this order: blocked address, credential, permission, limits, slot, plan (where the contract asks
 * for it before the body), validation, disk space, command, plan (elsewhere). Then it runs the request, and sends its
 * reply or refusal.
 */
export function pipeline(deps: PipelineDeps): Answer {
  return async (context, exchange) => {
    try {
      await send(deps, context, exchange, await admit(deps, context, exchange));
    } catch (error) {
      fail(deps, context, exchange, error);
    } finally {
      context.end();
    }
  };
}

type AnyExchange = Exchange<{ readonly code: string }, AnyCaller>;

async function admit(
  { limits, diskSpace, ...deps }: PipelineDeps,
  context: RequestContext,
  exchange: AnyExchange,
): Promise<Run> {
  const caller = exchange.authenticate && (await authenticate({ limits, ...deps }, context, exchange));
  const required = await exchange.admitCaller(caller);
  const { countMiss, leave, waitedMs } = await limits.admit(context.res, required, () => context.signal);
  // A slot counts bodies under way. So it is free again before the client has the response.
  context.req.once('end', leave);
  context.atEnd(leave);
  if (waitedMs > 0) {
    context.note({ waited_ms: waitedMs });
    await required.afterWait?.();
  }
  const account = caller && 'account' in caller ? caller.account : undefined;
  requireMinimumPlan(required, account, 'body');
  await exchange.validate?.();
  if (required.diskSpace) context.atEnd(await diskSpace.require(required.diskSpace.bytes));
  const run = await exchange.parse(countMiss);
  requireMinimumPlan(required, account, undefined);
  return run;
}

async function authenticate(
  { limits, noteUse }: Pick<PipelineDeps, 'limits' | 'noteUse'>,
  context: RequestContext,
  exchange: AnyExchange,
): Promise<AnyCaller> {
  // Both are looked up at once, because each look-up in a database of another machine takes a round trip.
  const found = exchange.authenticate!();
  found.catch(() => {});
  await limits.refuseBlocked(context.countedAddress);
  try {
    const caller = await found;
    context.note(notesOf(caller));
    if ('account' in caller) context.owner = caller.account.id;
    noteUse(caller);
    return caller;
  } catch (error) {
    if (exchange.isWrongCredential(error)) await limits.countFailure(context.countedAddress);
    throw error;
  }
}

/** Returns what the access log says about the sender. */
function notesOf(caller: AnyCaller) {
  if ('operatorKey' in caller) return { operator_key: caller.operatorKey.id };
  const { account, key, token } = caller;
  return { account: account.id, key: key.id, ...(token && { upload_token: token.id }) };
}

function requireMinimumPlan({ plan }: Requirements, account: Account | undefined, before: 'body' | undefined): void {
  if (!plan || plan.before !== before || (account && isAtLeast(account.plan, plan.minimum))) return;
  const name = `${plan.minimum[0]!.toUpperCase()}${plan.minimum.slice(1)}`;
  const isNamed = plan.code === 'UPGRADE_REQUIRED';
  throw new Refusal(plan.code, isNamed ? { detail: `It needs the ${name} plan or above.` } : {});
}

/**
 * The most look-ups of one file. A file that is replaced between its look-up and its opening is looked up again. More
 * failures cannot be chance.
 */
const maxTries = 3;

/**
 * Sends the reply of `run`. If the bytes of a file were removed after its look-up, it runs again, because the file may
 * have been replaced or deleted. Only the sending of a file causes another run, so what writes or reads a body runs
 * once.
 *
 * @throws the errors of `run`
 * @throws BlobMissing if the bytes are lost
 */
async function send(deps: PipelineDeps, context: RequestContext, exchange: AnyExchange, run: Run): Promise<void> {
  for (let tries = 1; ; tries++) {
    const reply = await run();
    try {
      return await sendReply(deps, context, exchange, reply);
    } catch (error) {
      if (!(error instanceof BlobMissing) || context.res.headersSent || tries === maxTries) throw error;
    }
  }
}

async function sendReply(
  deps: PipelineDeps,
  context: RequestContext,
  exchange: AnyExchange,
  reply: Reply,
): Promise<void> {
  const { metrics } = deps;
  const { req, res } = context;
  refuseRemainingBody(req, res);
  setHeaders(res, reply.headers ?? {});
  res.statusCode = reply.status;
  const { body, range } = reply;
  if (body instanceof EventStream) {
    const { failed, longestStallMs } = body.options;
    const onError = failed && ((error: unknown) => failed(failedStream(deps, context, exchange, error)));
    const onCut = (bytesSent: number) => noteSent(metrics, context, { bytesSent });
    const sent = await sendEventStream(req, res, body.chunks, { longestStallMs, onCut, ...(onError && { onError }) });
    return noteSent(metrics, context, sent);
  }
  if (!isRepresentation(body)) return exchange.sendBody(reply);
  const sent = await sendRepresentation(req, res, body, {
    ...(range && { range }),
    rangesOnHead: exchange.rangesOnHead ?? false,
    writeRefusal: (status) => exchange.sendUnmet(status, body),
    onCut: (bytesSent) => noteSent(metrics, context, { bytesSent }),
  });
  noteSent(metrics, context, sent);
}

/** Returns the error of a stream whose status is sent already. */
function failedStream(
  deps: PipelineDeps,
  context: RequestContext,
  exchange: AnyExchange,
  error: unknown,
): { readonly code: string } {
  const { refusal, fault } = exchange.failureOf(error);
  if (fault !== undefined) logFault(deps, context, fault);
  context.note({ code: refusal.code });
  return refusal;
}

function noteSent(metrics: Metrics, context: RequestContext, { bytesSent }: { readonly bytesSent: number }): void {
  context.note({ bytes: bytesSent });
  metrics.bytesSent(context.notes.door ?? 'none', bytesSent);
}

function isRepresentation(body: unknown): body is Representation {
  return typeof body === 'object' && body !== null && 'open' in body;
}

function fail(deps: PipelineDeps, context: RequestContext, exchange: AnyExchange, error: unknown): void {
  const { req, res } = context;
  const { refusal, fault, isUnexpected = false } = exchange.failureOf(error);
  // A client that disconnected gets no response, and this is no fault. Once bytes flow, `sendRepresentation` has
  // already distinguished the two.
  if (isUnexpected && req.socket.destroyed && !res.headersSent) return context.note({ outcome: 'aborted' });
  if (fault !== undefined) logFault(deps, context, fault);
  if (res.headersSent) return void req.socket.destroy();
  context.note({ code: refusal.code });
  refuseRemainingBody(req, res);
  exchange.sendRefusal(refusal);
}
