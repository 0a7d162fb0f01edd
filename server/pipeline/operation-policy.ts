import type { ErrorCode, ErrorShape } from '#generated/errors.ts';

type PlanName = 'none' | 'hobby' | 'standard' | 'pro' | 'enterprise';

export interface RateLimitPolicy {
  readonly name: string;
  /** Whose requests are counted together. */
  readonly per: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Once exceeded, everything is refused for so long; without it, until the window ends. */
  readonly blockSeconds?: number;
  readonly exempt?: readonly PlanName[];
  readonly counts?: 'requests' | 'files';
  /** `cache-miss`: only what no cache holds counts. `operation`: the operation counts it itself, with what it stores. */
  readonly on?: string;
  /** A path parameter: each of its values is counted on its own. */
  readonly each?: string;
}

/** The code of each violated JSON Schema keyword; `default` stands for all others. */
export type FieldCodes = { readonly default: ErrorCode; readonly [keyword: string]: ErrorCode };

export interface FieldPolicy {
  readonly codes?: FieldCodes;
  /** What a key that is restricted to prefixes is checked against. */
  readonly guardedBy?: 'prefix' | 'folder' | 'object' | 'list-prefix' | 'upload';
  readonly minimum?: number;
  readonly maximum?: number;
  /** Of a number with a range: whether it must be whole. */
  readonly isInteger?: boolean;
  /** Of the field that tells the forms of a value apart: the values of all forms. */
  readonly choices?: readonly string[];
  /** A field of a body that only servers with this feature take. */
  readonly feature?: string;
  /** Its value is never repeated in an answer. */
  readonly isSecret?: boolean;
}

export interface ParameterPolicy extends FieldPolicy {
  readonly kind: 'string' | 'integer' | 'boolean';
  readonly mayBeEmpty?: boolean;
  /** Control characters are removed from it; elsewhere a NUL is refused before anything else looks. */
  readonly dropsControls?: boolean;
  /** It counts only when it is given once, as one of these; otherwise it is as if it were not there. */
  readonly only?: readonly string[];
}

export interface OperationPolicy {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly tag: string;
  readonly door: string;
  /** Another door that serves it too. */
  readonly alsoDoor?: string;
  readonly errorShape: ErrorShape;
  readonly credentials: readonly (
    | 'apiKey'
    | 'keyHeader'
    | 'uploadToken'
    | 'operatorKey'
    | 'session'
    | 'consoleSession'
    | 'operatorSession'
    | 'csrfToken'
  )[];
  /** What an upload token does here: spends a use, or goes on with what it has opened; null where it may nothing. */
  readonly uploadToken: 'spend' | 'follow' | null;
  /** Fields of the query may also come in the headers of upload protocols. */
  readonly uploadMetadata?: true;
  /** Any one of them suffices; none means that no scope is needed. */
  readonly scopes: readonly string[];
  /** All of the scopes are needed. */
  readonly needsAllScopes?: true;
  /** `before: 'body'`: it is checked before the body, and not after it. */
  readonly plan: { readonly minimum: PlanName; readonly code: ErrorCode; readonly before?: 'body' } | null;
  readonly rateLimits: readonly RateLimitPolicy[];
  /** Whether it counts towards the limit of all the account's requests together. */
  readonly countsForAccount: boolean;
  /** `account`: a key that is restricted to prefixes is always refused, because it reaches the whole account. */
  readonly guardedBy?: 'account';
  readonly concurrency: { readonly name: string; readonly limit: number; readonly code: ErrorCode } | null;
  readonly bodyTypes: readonly string[];
  /** The most bytes of a body with fields that anybody may send. Without it the limit is that of all callers. */
  readonly maxBodyBytes?: number;
  readonly bodyRequired: boolean;
  /** It stores a file or a part of one, so the disk must have space before its body is read. */
  readonly needsDiskSpace?: true;
  /** The handler reads the body itself, up to so many bytes, exactly as it was sent. */
  readonly rawBody?: { readonly maxBytes: number; readonly code: ErrorCode };
  /** The handler reads the parts of a form itself. */
  readonly formParts?: true;
  /** Headers that are refused with this code, because ignoring them could lose data. Names in lower case. */
  readonly refusedHeaders?: Readonly<Record<string, ErrorCode>>;
  readonly pathFields: Readonly<Record<string, ParameterPolicy>>;
  readonly queryFields: Readonly<Record<string, ParameterPolicy>>;
  /** Keyed by path: `body/destination/name`, `body/objects/*`. */
  readonly bodyFields: Readonly<Record<string, FieldPolicy>>;
}
