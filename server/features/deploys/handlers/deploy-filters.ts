import { parsing } from '#server/http/operation.ts';
import type { DeploysHandlers } from '#generated/router.ts';
import type { DeployFilters as WireFilters } from '#generated/types.ts';
import { checkFilters, type DeployFilters } from '../deploy-filters.ts';
import { readFilters, setFilters } from '../set-filters.ts';
import type { Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { success } from '#server/handlers/wire.ts';

/** Returns the handlers of the filters of pushes. */
export function deployFiltersHandlers(deps: CorePorts) {
  return {
    async getDeployFilters({ path }, { caller }) {
      return success(filtersOf(await readFilters(deps, { accountId: caller.account.id, appId: path.app_id })));
    },

    replaceDeployFilters: parsing(
      ({ path, body }) => ({
        appId: path.app_id,
        filters: checkFilters({
          includeBranches: body.include_branches ?? [],
          excludeBranches: body.exclude_branches ?? [],
          includePaths: body.include_paths ?? [],
          excludePaths: body.exclude_paths ?? [],
        }),
      }),
      async ({ appId, filters }, { caller }) => {
        await setFilters(deps, { accountId: caller.account.id, appId }, filters);
        return success(filtersOf(filters));
      },
    ),
  } satisfies Partial<DeploysHandlers<Call>>;
}

function filtersOf(filters: DeployFilters): WireFilters {
  return {
    include_branches: [...filters.includeBranches],
    exclude_branches: [...filters.excludeBranches],
    include_paths: [...filters.includePaths],
    exclude_paths: [...filters.excludePaths],
  };
}
