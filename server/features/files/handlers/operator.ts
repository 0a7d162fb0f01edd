import { parsing } from '#server/http/operation.ts';
import type { OperatorHandlers } from '#generated/router.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Ports } from '#server/handlers/ports.ts';
import { continuation, cursorOf, success } from '#server/handlers/wire.ts';
import { listPurges } from '../list-purges.ts';
import { purgeView } from './purge-view.ts';

/** Returns the handler of the purges that wait, for operators. */
export function filesOperatorHandlers(deps: Pick<Ports, 'metadata' | 'secrets'>) {
  return {
    listPurges: parsing(
      ({ query }) => ({ limit: query.limit ?? 100, cursor: cursorOf(query) }),
      async (page) => {
        const { rows: purges, next } = await listPurges(deps, page);
        return success({ purges: purges.map(purgeView), ...continuation(next) });
      },
    ),
  } satisfies Partial<OperatorHandlers<Call>>;
}
