import type { ErrorCode } from '#generated/errors.ts';
import type { Provocation } from './provocation.ts';

/** The responses to requests that reach no operation, in each shape. */
export const unrouted: Partial<Record<ErrorCode, Provocation>> = {
  NOT_FOUND: ({ server }) => server.send('/v1/nothing'),
  METHOD_NOT_ALLOWED: ({ server }) => server.send('/v1/objects', { method: 'PUT', body: '{}' }),
  not_found: ({ server }) => server.send('/v2/ai/nothing'),
  method_not_allowed: ({ server }) => server.send('/v2/ai/models', { method: 'DELETE' }),
};
