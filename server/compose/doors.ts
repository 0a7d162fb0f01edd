import type { RequestListener } from 'node:http';

import type { Handle } from '#generated/router.ts';
import type { DoorName } from '#server/config/door-names.ts';
import { apiDoor } from '#server/doors/api/api-door.ts';
import { authenticateOperation } from '#server/doors/contract/authenticate-operation.ts';
import { operationHandle } from '#server/doors/contract/operation.ts';
import type { RoutedDoorDeps } from '#server/doors/contract/routed-door.ts';
import { filesDoor } from '#server/doors/files/files-door.ts';
import { operatorDoor } from '#server/doors/operator/operator-door.ts';
import { errorForms } from '#server/feature-parts.ts';
import type { Call } from '#server/handlers/call.ts';
import { contractFolder, validator } from './contract.ts';
import type { Given } from './given.ts';
import { apiPartsOf, featuresOff, handlersOf } from './serve-features.ts';
import type { Ports, Served } from './served.ts';
import { consoleOf, docsFolder } from './sites.ts';
import { withoutSlash } from './without-slash.ts';

/** The listeners of the doors that are open. Every server has three of them. */
export type Doors = Readonly<
  Record<'api' | 'files' | 'operator', RequestListener> & Partial<Record<DoorName, RequestListener>>
>;

/** Builds every door, with the handlers behind it. */
export function composeDoors(given: Given, served: readonly Served[], ports: Ports): Doors {
  const { config, urls, overrides } = given;
  const common = { ...given.common, errorForms, pageScripts: served.flatMap(({ pageScripts = [] }) => pageScripts) };
  const handlers = handlersOf(served, ports);
  const handleOf = handleOver(given, served);
  const owners = served.flatMap(({ linkOwner = [] }) => linkOwner);
  const doors: Doors = {
    api: composeApiDoor(given, { ...common, handlers, handleOf, parts: apiPartsOf(served) }),
    files: filesDoor({
      ...common,
      handlers,
      handleOf,
      noteError: (error) => ports.countError?.('files', error, owners),
    }),
    operator: operatorDoor({
      ...common,
      handlers,
      handleOf,
      console: consoleOf(given, 'operator'),
      hostNames: new Set([new URL(urls.operator).hostname, config.operatorHost.toLowerCase(), ...config.operatorNames]),
    }),
    ...Object.assign({}, ...served.map((one) => one.doors?.(ports))),
  };
  const { door: wrap } = overrides;
  if (!wrap) return doors;
  return Object.fromEntries(
    Object.entries(doors).map(([name, door]) => [name, wrap(name as DoorName, door)]),
  ) as unknown as Doors;
}

function composeApiDoor(
  given: Given,
  parts: RoutedDoorDeps & Pick<Parameters<typeof apiDoor>[0], 'handlers' | 'handleOf' | 'parts'>,
): RequestListener {
  const { config, urls } = given;
  return apiDoor({
    ...parts,
    docsUrl: withoutSlash(new URL(urls.api).pathname),
    hasMetrics: config.hasPublicMetrics,
    docsFolder,
    console: consoleOf(given, 'account'),
    addresses: urls,
    contractFolder,
    off: featuresOff(config),
  });
}

function handleOver({ config, core, urls, answer }: Given, served: readonly Served[]): Handle<Call> {
  const ownOrigins = { console: new URL(urls.api).origin, operator: new URL(urls.operator).origin };
  const lookUpUpload = served.find((one) => one.lookUpUpload)?.lookUpUpload;
  return operationHandle({
    answer,
    authenticate: (...request) => authenticateOperation({ ...core, ownOrigins }, ...request),
    async ownerOf(_operationId, pathParameters) {
      for (const one of served) {
        const owner = await one.ownerOf?.(pathParameters);
        if (owner !== undefined) return owner;
      }
      return undefined;
    },
    lookUpUpload(caller, uploadHandle) {
      if (!lookUpUpload) throw new Error('Only operations on uploads name one, and they are switched off.');
      return lookUpUpload(caller, uploadHandle);
    },
    validator,
    errorForms,
    featuresOff: config.featuresOff,
  });
}
