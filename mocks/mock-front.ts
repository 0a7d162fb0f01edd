import { randomUUID } from 'node:crypto';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';

import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId, type OperationPolicy } from '#generated/policies.ts';
import { readFields, takesFields } from '#server/doors/contract/request-body.ts';
import { sendRefusal, type ErrorShape } from '#server/pipeline/error-response.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { bodyChunks } from '#server/http/body-chunks.ts';
import { isForm } from '#server/http/form-body.ts';
import { jsonFault } from '#server/http/json-fault.ts';
import { refuseRemainingBody } from '#server/http/linger.ts';

/** Prism's limit for a body. */
const maxForwardedBytes = 10 * 1024 * 1024;
const formType = 'application/x-www-form-urlencoded';
/** Prism needs some seconds for a form of 10 MB. */
const patienceMs = 20_000;

interface Route {
  readonly pattern: RegExp;
  /** Keyed by method in upper case. */
  readonly operations: ReadonlyMap<string, OperationId>;
}

/**
 * Returns the server in front of Prism. It rejects malformed JSON (to which Prism never responds), requests outside all
 * operations, and requests that make Prism fail. Its errors have the contract's formats. It parses JSON as the real
 * server does, whatever the Content-Type.
 *
 * @param prismUrl the address of Prism
 */
export function mockFront(prismUrl: () => string): Server {
  const routes = routesOfApiAndFiles();
  // A body that never arrives times out after ten seconds, not after Node's five minutes.
  return createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    (req, res) => {
      answer(routes, prismUrl(), req, res).catch((error: unknown) => {
        if (req.socket.destroyed || res.headersSent) return void req.socket.destroy();
        console.error(error);
        refuse(req, res, new Refusal('INTERNAL_SERVER_ERROR'), 'envelope');
      });
    },
  );
}

function routesOfApiAndFiles(): Route[] {
  const served = (Object.entries(policies) as Array<[OperationId, OperationPolicy]>).filter(
    ([, { door }]) => door !== 'public',
  );
  return [...Map.groupBy(served, ([, { path }]) => path)].map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    operations: new Map(operations.map(([id, { method }]) => [method.toUpperCase(), id])),
  }));
}

async function answer(
  routes: readonly Route[],
  prismUrl: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const pathname = req.url!.split('?', 1)[0]!;
  if (
    req.method === 'OPTIONS' &&
    req.headers.origin !== undefined &&
    req.headers['access-control-request-method'] !== undefined
  )
    return forward(prismUrl, req, res);
  const route = routes.find(({ pattern }) => pattern.test(pathname));
  const operationId = route?.operations.get(req.method!);
  if (operationId === undefined) return refuseUnrouted(route, pathname, req, res);

  const policy = policies[operationId];
  const no = (code: ErrorCode) => refuse(req, res, declared(operationId, new Refusal(code)), policy.errorShape);
  if (policy.credentials.length === 1 && policy.credentials[0] !== 'session' && !req.headers.authorization)
    return no('ACCESS_DENIED');
  const sent = takesFields(policy) ? await fieldsOf(req, policy) : await bytesOf(req, policy);
  if ('refusal' in sent) return refuse(req, res, declared(operationId, sent.refusal), policy.errorShape);
  forward(prismUrl, req, res, sent);
}

/** Reads JSON or a form, with the real server's errors. */
async function fieldsOf(req: IncomingMessage, policy: OperationPolicy): Promise<Body | { readonly refusal: Refusal }> {
  const fields = await readFields(req, policy);
  if ('refusal' in fields) return fields;
  if (isForm(req) && policy.bodyTypes.includes(formType))
    return { body: Buffer.from(formOf(fields.value as Record<string, string | null>)), type: formType };
  return { body: Buffer.from(JSON.stringify(fields.value)), type: 'application/json' };
}

/**
 * Reads a file, a part, a payload of a repository host, or no body. Prism parses every body that claims to be JSON, and
 * hangs if it is not.
 */
async function bytesOf(
  req: IncomingMessage,
  { bodyTypes, bodyFields, rawBody }: OperationPolicy,
): Promise<Body | { readonly refusal: Refusal }> {
  if (bodyTypes.length === 0) return { body: Buffer.alloc(0) };
  const isFile = bodyTypes.includes('multipart/form-data');
  if (isFile && !/^multipart\/form-data *;.*boundary=/i.test(req.headers['content-type'] ?? ''))
    return { refusal: new Refusal('INVALID_CONTENT_TYPE') };
  const body = await wholeOf(req);
  if (!body)
    return { refusal: new Refusal(isFile ? 'FILE_TOO_LARGE' : rawBody ? 'BODY_TOO_LARGE' : 'CHUNK_TOO_LARGE') };
  if (isFile) return { body };
  if (!rawBody) return { body, type: 'application/octet-stream' };
  // Prism fails at a form that is not encoded as a form.
  if (isForm(req)) return { body: Buffer.from(new URLSearchParams(body.toString()).toString()), type: formType };
  if ((await jsonFault(body)) === undefined) return { body };
  return { refusal: new Refusal(bodyFields.body?.codes?.default ?? 'INVALID_PAYLOAD') };
}

/** Reads the body. Returns undefined if it exceeds Prism's limit. */
async function wholeOf(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of bodyChunks(req)) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxForwardedBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function formOf(fields: Readonly<Record<string, string | null>>): string {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]])),
  ).toString();
}

/** Returns the refusal with the operation's own code: the AI gateway and device approval use lower case. */
function declared(operationId: OperationId, refusal: Refusal): Refusal {
  const codes: readonly string[] = codesOfOperation[operationId];
  const code = [refusal.code, refusal.code.toLowerCase()].find((one) => codes.includes(one));
  return code === undefined || code === refusal.code
    ? refusal
    : new Refusal(code as ErrorCode, {
        ...(refusal.words !== undefined && { message: refusal.words }),
        ...(refusal.detail !== undefined && { detail: refusal.detail }),
      });
}

function refuseUnrouted(route: Route | undefined, pathname: string, req: IncomingMessage, res: ServerResponse): void {
  const shape: ErrorShape = pathname.startsWith('/v2/ai/')
    ? 'ai'
    : pathname.startsWith('/v2/git/')
      ? 'git'
      : 'envelope';
  const code = route ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND';
  if (route) res.setHeader('Allow', [...route.operations.keys(), 'OPTIONS'].join(', '));
  refuse(req, res, new Refusal(shape === 'ai' ? (code.toLowerCase() as Lowercase<typeof code>) : code), shape);
}

function refuse(req: IncomingMessage, res: ServerResponse, refusal: Refusal, shape: ErrorShape): void {
  refuseRemainingBody(req, res);
  res.setHeader('X-Request-Id', randomUUID());
  res.setHeader('Access-Control-Allow-Origin', req.headers.origin ?? '*');
  res.setHeader('Access-Control-Expose-Headers', '*');
  sendRefusal(res, refusal, shape);
}

interface Body {
  readonly body: Buffer;
  readonly type?: string;
}

/** Headers that describe one connection only. */
const ofOneHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'proxy-connection',
]);

/** RFC 9110, section 8.3.1: `type "/" subtype parameters`. Prism fails at anything else. */
const mediaType =
  /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)((?:\s*;\s*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*"))*)$/;

function headersFor(
  { accept, 'content-type': givenType, ...others }: IncomingHttpHeaders,
  { body, type }: Body,
): IncomingHttpHeaders {
  const kept = Object.fromEntries(Object.entries(others).filter(([name]) => !ofOneHop.has(name)));
  const accepted =
    accept
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => mediaType.test(part)) ?? [];
  const contentType = type ?? givenType?.trim();
  return {
    ...kept,
    ...(accepted.length > 0 && { accept: accepted.join(', ') }),
    ...(contentType !== undefined && mediaType.test(contentType) && { 'content-type': contentType }),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  };
}

/** Forwards the request to Prism, and its response back. */
function forward(
  prismUrl: string,
  req: IncomingMessage,
  res: ServerResponse,
  sent: Body = { body: Buffer.alloc(0) },
): void {
  const fail = (): void => {
    if (res.headersSent) return void res.destroy();
    refuse(req, res, new Refusal('INTERNAL_SERVER_ERROR'), 'envelope');
  };
  const { hostname, port } = new URL(prismUrl);
  const toPrism = request({
    hostname,
    port,
    method: req.method,
    path: req.url,
    headers: headersFor(req.headers, sent),
    timeout: patienceMs,
  });
  toPrism.once('response', (answered) => {
    const headers = answered.rawHeaders.filter(
      (_, index, all) => !['connection', 'keep-alive'].includes(all[index - (index % 2)]!.toLowerCase()),
    );
    res.writeHead(answered.statusCode!, headers);
    answered.once('error', fail).pipe(res);
  });
  toPrism.once('timeout', () => toPrism.destroy(new Error(`Prism did not answer within ${patienceMs / 1000} s.`)));
  toPrism.once('error', fail);
  res.once('close', () => toPrism.destroy());
  toPrism.end(sent.body);
}
