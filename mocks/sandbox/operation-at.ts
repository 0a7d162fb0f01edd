import { policies, type OperationId } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { DoorName } from '#server/config/door-names.ts';

interface Route {
  readonly id: OperationId;
  readonly doors: ReadonlySet<string | undefined>;
  readonly method: string;
  readonly pattern: RegExp;
}

const routes: readonly Route[] = (Object.entries(policies) as Array<[OperationId, OperationPolicy]>).map(
  ([id, { door, alsoDoor, method, path }]) => ({
    id,
    doors: new Set([door, alsoDoor]),
    method: method.toUpperCase(),
    pattern: new RegExp(
      `^${path
        .replaceAll('.', '\\.')
        .replace('{key}', '.+')
        .replace(/\{[^{}]+\}/g, '[^/]+')}$`,
    ),
  }),
);

/** Returns the operation that a request is for. HEAD is for that of GET. Undefined for a request outside of all. */
export function operationAt(door: DoorName, method: string, path: string): OperationId | undefined {
  const name = method === 'HEAD' ? 'GET' : method;
  return routes.find((route) => route.doors.has(door) && route.method === name && route.pattern.test(path))?.id;
}
