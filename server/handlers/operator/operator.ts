import { operatorAccountHandlers } from './accounts.ts';
import { operatorAuditHandlers } from './audit.ts';
import type { OperatorPorts } from './ports.ts';
import { operatorServerHandlers } from './server.ts';
import { operatorSessionHandlers } from './sessions.ts';
import { operatorUpkeepHandlers } from './upkeep.ts';

/** Returns the core's handlers of the operator's door. */
export function operatorHandlers(deps: OperatorPorts) {
  return {
    ...operatorAccountHandlers(deps),
    ...operatorAuditHandlers(deps),
    ...operatorServerHandlers(deps),
    ...operatorSessionHandlers(deps),
    ...operatorUpkeepHandlers(deps),
  };
}
