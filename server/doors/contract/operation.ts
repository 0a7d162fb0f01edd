import type { IncomingHttpHeaders } from 'node:http';

import { codesOfOperation, type RetriedCode } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { Handle } from '#generated/router.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { maxUploadBytes } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { SignedOut } from '#server/domain/sessions/signed-out.ts';
import type { Call } from '#server/handlers/call.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';
import { RequestReferences } from '#server/handlers/request-references.ts';
import { contentLength, hasBody } from '#server/http/body-chunks.ts';
import { parseQuery, type RawQuery } from '#server/http/query.ts';
import type { AnyCaller, Exchange, Failure, Reply, Requirements, Run } from '#server/pipeline/exchange.ts';
import { announce } from '#server/pipeline/request-limits.ts';
import type { Answer } from '#server/pipeline/pipeline.ts';
import { sendRefusal, sendUnmet } from '#server/pipeline/error-response.ts';
import { sendContent } from '#server/pipeline/send-body.ts';
import { bodyMemoryRefusal } from '#server/pipeline/body-memory-refusal.ts';
import { storeRefusal } from '#server/pipeline/store-refusal.ts';
import { contextOf, type RequestContext } from '#server/pipeline/request-context.ts';
import { fieldsOff, requireNone } from './fields-off.ts';
import { guard, guardUpload } from './guard.ts';
import { OperationCall, type CallParts } from './operation-call.ts';
import { announcingBudgets, bucketsOf, ownLimits, slotOf } from './operation-limits.ts';
import { withoutPinned } from './pinned-query.ts';
import {
  openBytes,
  openFile,
  openParts,
  openRaw,
  readFields,
  takesBytes,
  takesFields,
  takesFile,
  type FieldsBody,
} from './request-body.ts';
import { withUploadMetadata } from './upload-metadata.ts';
import type { RequestValidator, ValidInput } from './request-validator.ts';

interface OperationDeps {
  readonly answer: Answer;
  /** @throws ACCESS_DENIED, ACCOUNT_SUSPENDED, UPLOAD_TOKEN_USED */
  authenticate(headers: IncomingHttpHeaders, policy: OperationPolicy): Promise<AnyCaller>;
  /**
   * Returns the account whose link a request without credentials follows, for the limits. Undefined if the link opens
   * nothing.
   *
   * It must not distinguish unknown links from links that are to look unknown, because the limits' headers would show
   * the difference.
   */
  ownerOf(operationId: OperationId, pathParameters: Readonly<Record<string, string>>): Promise<string | undefined>;
  lookUpUpload(caller: Caller, uploadHandle: string): UploadLookup;
  readonly validator: RequestValidator;
  readonly errorForms: readonly ErrorForm[];
  /** The names of the features that are switched off. */
  readonly featuresOff: ReadonlySet<string>;
}

type Handled = Parameters<Handle<Call>>[1];

/**
 * Returns the function that makes a request handler for each operation. An operation's policy holds all that the
 * pipeline must know about it.
 */
export function operationHandle(deps: OperationDeps): Handle<Call> {
  return (operationId, handled) => {
    const policy = policies[operationId];
    const operation: Operation = { id: operationId, policy, handled, off: fieldsOff(policy, deps.featuresOff) };
    return (req, res) => {
      const context = contextOf(res);
      context.note({ operation: operationId, template: operation.policy.path });
      // Only Express's own routes have parameters.
      const path = req.params
        ? { pathname: req.path, parameters: req.params as Record<string, string> }
        : { pathname: operation.policy.path, parameters: {} };
      return deps.answer(context, new OperationExchange(deps, operation, context, path));
    };
  };
}

interface Operation {
  readonly id: OperationId;
  readonly policy: OperationPolicy;
  readonly handled: Handled;
  /** The fields of its body that this server does without. */
  readonly off: ReturnType<typeof fieldsOff>;
}

/** The path of a request, as the router matched it. */
interface RoutedPath {
  readonly pathname: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** One request for an operation of the contract. */
class OperationExchange implements Exchange<Refusal, AnyCaller> {
  readonly authenticate: (() => Promise<AnyCaller>) | undefined;
  readonly #deps: OperationDeps;
  readonly #operation: Operation;
  readonly #context: RequestContext;
  readonly #path: RoutedPath;
  #query: RawQuery;
  #caller: Caller | undefined;
  #operator: OperatorCaller | undefined;
  #references: RequestReferences | undefined;
  #fields: FieldsBody | undefined;
  #input: ValidInput | undefined;

  constructor(deps: OperationDeps, operation: Operation, context: RequestContext, path: RoutedPath) {
    this.#deps = deps;
    this.#operation = operation;
    this.#context = context;
    this.#path = path;
    this.#query = parseQuery(context.req.url ?? '');
    const { policy } = operation;
    if (policy.credentials.length > 0) this.authenticate = () => deps.authenticate(context.req.headers, policy);
  }

  isWrongCredential(error: unknown): boolean {
    return error instanceof Refusal && error.code === 'ACCESS_DENIED' && !(error instanceof SignedOut);
  }

  async admitCaller(sender: AnyCaller | undefined): Promise<Requirements> {
    const { id, policy } = this.#operation;
    const { req, countedAddress } = this.#context;
    const { parameters } = this.#path;
    this.#query = withUploadMetadata(policy, req, this.#query);
    const caller = (this.#caller = sender && 'account' in sender ? sender : undefined);
    this.#operator = sender && 'operatorKey' in sender ? sender : undefined;
    if (isBodyCounted(policy, caller)) await this.#readFields();
    const body = this.#body;
    if (caller) {
      const references = (this.#references = new RequestReferences(caller, this.#deps.lookUpUpload));
      const guarded = { origin: req.headers.origin, query: this.#query, pathParameters: parameters, body, references };
      guard(policy, caller, guarded);
      await guardUpload(policy, caller, guarded);
    }
    const account = caller?.account;
    const ownerId = account?.id ?? (await this.#deps.ownerOf(id, parameters));
    this.#context.owner = ownerId;
    const counted = { account, ownerId, address: countedAddress, pathParameters: parameters, files: filesIn(body) };
    return {
      buckets: bucketsOf(policy, counted),
      slot: slotOf(policy, counted, hasBody(req)),
      plan: policy.plan,
      diskSpace: policy.needsDiskSpace ? { bytes: bodyBytesOf(req) } : undefined,
    };
  }

  async #readFields(): Promise<void> {
    const { policy } = this.#operation;
    if (this.#fields || !takesFields(policy)) return;
    const hold = this.#context.holdBody(policy.credentials.length > 0 ? 'caller' : 'anonymous');
    this.#fields = await readFields(this.#context.req, policy, hold);
  }

  get #body(): unknown {
    return this.#fields && 'value' in this.#fields ? this.#fields.value : undefined;
  }

  async validate(): Promise<void> {
    const { id, policy, handled, off } = this.#operation;
    requireNoRefused(policy, this.#context.req.headers);
    if (typeof handled !== 'function' && handled.find)
      await handled.find({ path: this.#path.parameters } as never, this.#callWith({}));
    await this.#readFields();
    if (this.#fields && 'refusal' in this.#fields) throw this.#fields.refusal;
    requireNone(off, this.#body);
    const token = policy.uploadToken === 'spend' ? this.#caller?.token : undefined;
    const query = token ? withoutPinned(this.#query, token.pins) : this.#query;
    const { pathname, parameters: pathParameters } = this.#path;
    this.#input = await this.#deps.validator.validate(id, policy, {
      pathname,
      pathParameters,
      query,
      body: this.#body,
    });
  }

  async parse(countMiss: () => Promise<void>): Promise<Run> {
    const { policy, handled } = this.#operation;
    const context = this.#context;
    const { req } = context;
    const file = takesFile(policy) ? await openFile(req) : undefined;
    if (file) context.atEnd(() => file.abandon());
    const form = policy.formParts ? openParts(req) : undefined;
    if (form) context.atEnd(() => void form.return(undefined).catch(() => {}));
    const call = this.#callWith({
      file,
      bytes: takesBytes(policy) ? openBytes(req) : undefined,
      form,
      raw: policy.rawBody && openRaw(req, policy.rawBody),
      countMiss,
    });
    const input = this.#input as never;
    if (typeof handled === 'function') return () => handled(input, call);
    const command = handled.parse(input, call) as never;
    return () => handled.run(command, call);
  }

  /** Returns the request as its handler sees it, with the parts of its body that are open. */
  #callWith(parts: Partial<Pick<CallParts, 'file' | 'bytes' | 'form' | 'raw' | 'countMiss'>>): OperationCall {
    const { id, policy } = this.#operation;
    const { res } = this.#context;
    return new OperationCall(id, this.#context, {
      caller: this.#caller,
      operator: this.#operator,
      references: this.#references,
      file: undefined,
      bytes: undefined,
      form: undefined,
      raw: undefined,
      countMiss: async () => {},
      ...parts,
      // The address of a raw body holds a secret, which the operation looks up before it keeps anything.
      keep: (bytes) =>
        this.#context.holdBody(policy.rawBody || policy.credentials.length > 0 ? 'caller' : 'anonymous').take(bytes),
      announceLimit: (left) => announce(res, ownLimits(policy, left)),
      announceBudgets: announcingBudgets(res),
    });
  }

  sendBody(reply: Reply): void {
    sendContent(this.#context.res, reply);
  }

  sendUnmet(status: 412 | 416): void {
    sendUnmet(this.#context.res, status);
  }

  failureOf(error: unknown): Failure<Refusal> {
    const { id } = this.#operation;
    const refused = error instanceof Refusal ? error : (storeRefusal(error) ?? bodyMemoryRefusal(error));
    const ours = refused && declaredForm(id, refused);
    if (ours) return { refusal: ours, fault: refused.cause };
    const unknown = new Refusal('INTERNAL_SERVER_ERROR');
    return { refusal: declaredForm(id, unknown) ?? unknown, fault: error, isUnexpected: true };
  }

  sendRefusal(refusal: Refusal): void {
    sendRefusal(this.#context.res, refusal, this.#operation.policy.errorShape, this.#deps.errorForms);
  }
}

/**
 * Returns the announced size of the body. Undefined for a size above the maximum, which is refused as too large later.
 */
function bodyBytesOf(req: RequestContext['req']): number | undefined {
  const bytes = contentLength(req);
  return bytes !== undefined && bytes > maxUploadBytes ? undefined : bytes;
}

/**
 * Checks that a request has none of the headers that the contract refuses. @throws the code that it names for the
 * header
 */
function requireNoRefused({ refusedHeaders = {} }: OperationPolicy, headers: IncomingHttpHeaders): void {
  const found = Object.keys(refusedHeaders).find((name) => headers[name] !== undefined);
  if (found !== undefined) throw new Refusal(refusedHeaders[found]!, { detail: `This request takes no \`${found}\`.` });
}

/** Whether a permission or a limit depends on what the body names. Otherwise the body is read after both. */
function isBodyCounted({ rateLimits }: OperationPolicy, caller: Caller | undefined): boolean {
  return Boolean(caller?.key.prefixes) || rateLimits.some(({ counts }) => counts === 'files');
}

/** Returns how many files a JSON body names, for the limits that count files. Any other body counts as one. */
function filesIn(body: unknown): number {
  const { objects, versions = objects } = (body ?? {}) as { readonly objects?: unknown; readonly versions?: unknown };
  return Array.isArray(versions) ? versions.length : 1;
}

/**
 * Returns the refusal in the form that the operation declares: the AI gateway writes the same codes in lower case.
 * Returns undefined for a refusal that the contract does not declare. That is a bug, so it counts as a fault.
 */
function declaredForm(operationId: OperationId, refusal: Refusal): Refusal | undefined {
  const declared: readonly string[] = codesOfOperation[operationId];
  if (declared.includes(refusal.code)) return refusal;
  const lower = refusal.code.toLowerCase();
  if (!declared.includes(lower)) return undefined;
  const { retryAfterSeconds, ownMessage, detail, cause } = refusal;
  // The contract has the same codes with `Retry-After` in both forms.
  return new Refusal(lower as RetriedCode, {
    ...(cause !== undefined && { cause }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(ownMessage !== undefined && { message: ownMessage }),
    ...(detail !== undefined && { detail }),
  });
}
