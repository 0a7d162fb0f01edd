// Made from openapi/ by `npm run generate`. Never edit it by hand.

import type { ErrorCode } from './errors.ts';

export type PlanName = 'none' | 'hobby' | 'standard' | 'pro' | 'enterprise';

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
  readonly on?: string;
}

/** The code of each violated JSON Schema keyword; `default` stands for all others. */
export type FieldCodes = { readonly default: ErrorCode; readonly [keyword: string]: ErrorCode };

export interface FieldPolicy {
  readonly codes?: FieldCodes;
  /** What a key that is restricted to prefixes is checked against. */
  readonly guardedBy?: 'prefix' | 'object' | 'list-prefix';
}

export interface ParameterPolicy extends FieldPolicy {
  readonly kind: 'string' | 'integer' | 'boolean';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly mayBeEmpty?: boolean;
}

export interface OperationPolicy {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly tag: string;
  readonly door: string;
  readonly errorShape: 'envelope' | 'ai' | 'oauth' | 'text' | 'page';
  readonly credentials: readonly ('apiKey' | 'uploadToken')[];
  /** Any one of them suffices; none means that no scope is needed. */
  readonly scopes: readonly string[];
  readonly plan: { readonly minimum: PlanName; readonly code: ErrorCode } | null;
  readonly rateLimits: readonly RateLimitPolicy[];
  readonly concurrency: { readonly name: string; readonly limit: number; readonly code: ErrorCode } | null;
  readonly bodyTypes: readonly string[];
  readonly bodyRequired: boolean;
  readonly pathFields: Readonly<Record<string, ParameterPolicy>>;
  readonly queryFields: Readonly<Record<string, ParameterPolicy>>;
  /** Keyed by path: `body/destination/name`, `body/objects/*`. */
  readonly bodyFields: Readonly<Record<string, FieldPolicy>>;
}

const table = {
  listObjects: {
    method: 'get',
    path: '/v1/objects',
    tag: 'objects',
    door: 'api',
    errorShape: 'envelope',
    credentials: ['apiKey'],
    scopes: ['blob:read'],
    plan: null,
    rateLimits: [{ name: 'list', per: 'account', limit: 30, windowSeconds: 30, blockSeconds: 30 }],
    concurrency: null,
    bodyTypes: [],
    bodyRequired: false,
    pathFields: {},
    queryFields: {
      prefix: {
        kind: 'string',
        mayBeEmpty: true,
        codes: { default: 'INVALID_OBJECT_PREFIX' },
        guardedBy: 'list-prefix',
      },
      private: { kind: 'boolean', codes: { default: 'INVALID_OBJECT_PRIVATE' } },
      delimiter: { kind: 'string', codes: { default: 'INVALID_DELIMITER' } },
      limit: { kind: 'integer', minimum: 1, maximum: 1000, codes: { default: 'INVALID_LIMIT' } },
      cursor: { kind: 'string', codes: { default: 'INVALID_CONTINUATION_TOKEN' } },
      continuationToken: { kind: 'string', codes: { default: 'INVALID_CONTINUATION_TOKEN' } },
    },
    bodyFields: {},
  },
  uploadObject: {
    method: 'post',
    path: '/v1/objects',
    tag: 'objects',
    door: 'api',
    errorShape: 'envelope',
    credentials: ['apiKey', 'uploadToken'],
    scopes: ['blob:write'],
    plan: { minimum: 'hobby', code: 'PERMISSION_DENIED' },
    rateLimits: [{ name: 'upload', per: 'account', limit: 1, windowSeconds: 1, exempt: ['pro', 'enterprise'] }],
    concurrency: { name: 'uploads', limit: 4, code: 'TOO_MANY_CONCURRENT_UPLOADS' },
    bodyTypes: ['multipart/form-data'],
    bodyRequired: true,
    pathFields: {},
    queryFields: {
      name: { kind: 'string', codes: { default: 'INVALID_OBJECT_NAME' } },
      prefix: { kind: 'string', codes: { default: 'INVALID_OBJECT_PREFIX' }, guardedBy: 'prefix' },
      private: { kind: 'boolean', codes: { default: 'INVALID_OBJECT_PRIVATE' } },
      security_hash: { kind: 'boolean', codes: { default: 'INVALID_OBJECT_SECURITY_HASH' } },
      expire: { kind: 'string', codes: { default: 'INVALID_OBJECT_EXPIRE' } },
      overwrite: { kind: 'boolean', codes: { default: 'INVALID_OVERWRITE' } },
      disposition: { kind: 'string', codes: { default: 'INVALID_OBJECT_DISPOSITION' } },
      auto_download: { kind: 'boolean', codes: { default: 'INVALID_STORAGE_AUTO_DOWNLOAD' } },
      cache_control: { kind: 'string', codes: { default: 'INVALID_OBJECT_CACHE_CONTROL' } },
      metadata: { kind: 'string', codes: { default: 'INVALID_OBJECT_METADATA' } },
      checksum_sha256: { kind: 'string', codes: { default: 'INVALID_CHECKSUM' } },
    },
    bodyFields: {},
  },
  deleteObjects: {
    method: 'delete',
    path: '/v1/objects',
    tag: 'objects',
    door: 'api',
    errorShape: 'envelope',
    credentials: ['apiKey'],
    scopes: ['blob:write'],
    plan: null,
    rateLimits: [{ name: 'delete', per: 'account', limit: 1000, windowSeconds: 10, counts: 'files' }],
    concurrency: null,
    bodyTypes: ['application/json'],
    bodyRequired: true,
    pathFields: {},
    queryFields: {},
    bodyFields: {
      body: { codes: { default: 'INVALID_BODY' } },
      'body/object': { codes: { default: 'INVALID_OBJECT' }, guardedBy: 'object' },
      'body/objects': {
        codes: {
          default: 'INVALID_OBJECT',
          minItems: 'INVALID_BODY',
          maxItems: 'TOO_MANY_OBJECTS',
          type: 'INVALID_BODY',
        },
        guardedBy: 'object',
      },
      'body/objects/*': { codes: { default: 'INVALID_OBJECT' } },
    },
  },
  getObjectInfo: {
    method: 'get',
    path: '/v1/objects/info',
    tag: 'objects',
    door: 'api',
    errorShape: 'envelope',
    credentials: ['apiKey'],
    scopes: ['blob:read'],
    plan: null,
    rateLimits: [{ name: 'info', per: 'account', limit: 60, windowSeconds: 60 }],
    concurrency: null,
    bodyTypes: [],
    bodyRequired: false,
    pathFields: {},
    queryFields: { object: { kind: 'string', codes: { default: 'INVALID_OBJECT' }, guardedBy: 'object' } },
    bodyFields: {},
  },
  getPublicFile: {
    method: 'get',
    path: '/{account_id}/{key}',
    tag: 'delivery',
    door: 'public',
    errorShape: 'envelope',
    credentials: [],
    scopes: [],
    plan: null,
    rateLimits: [],
    concurrency: null,
    bodyTypes: [],
    bodyRequired: false,
    pathFields: { account_id: { kind: 'string' }, key: { kind: 'string' } },
    queryFields: {},
    bodyFields: {},
  },
  getLiveness: {
    method: 'get',
    path: '/livez',
    tag: 'operations',
    door: 'api',
    errorShape: 'envelope',
    credentials: [],
    scopes: [],
    plan: null,
    rateLimits: [],
    concurrency: null,
    bodyTypes: [],
    bodyRequired: false,
    pathFields: {},
    queryFields: {},
    bodyFields: {},
  },
  getReadiness: {
    method: 'get',
    path: '/readyz',
    tag: 'operations',
    door: 'api',
    errorShape: 'envelope',
    credentials: [],
    scopes: [],
    plan: null,
    rateLimits: [],
    concurrency: null,
    bodyTypes: [],
    bodyRequired: false,
    pathFields: {},
    queryFields: {},
    bodyFields: {},
  },
  getMetrics: {
    method: 'get',
    path: '/metrics',
    tag: 'operations',
    door: 'api',
    errorShape: 'envelope',
    credentials: [],
    scopes: [],
    plan: null,
    rateLimits: [],
    concurrency: null,
    bodyTypes: [],
    bodyRequired: false,
    pathFields: {},
    queryFields: {},
    bodyFields: {},
  },
} as const satisfies Record<string, OperationPolicy>;

export type OperationId = keyof typeof table;

/** What the server enforces of each operation before its handler runs. */
export const policies: Readonly<Record<OperationId, OperationPolicy>> = table;
