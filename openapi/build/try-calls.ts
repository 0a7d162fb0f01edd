import { resolve, type Json } from '../codegen/document.ts';
import { tagsOf } from './pages/reference.ts';
import { sampleRequest } from './sample-request.ts';
import { callOf } from './samples/samples.ts';
import type { Call } from './samples/call.ts';

/** A call as "Try it" offers it, with the contract's examples as first values. */
export interface TryCall extends Omit<Call, 'operation'> {
  readonly path: string;
  readonly parameters: ReadonlyArray<{
    readonly name: string;
    readonly place: string;
    readonly isRequired: boolean;
    /** Empty if the sample leaves it out. */
    readonly value: string;
  }>;
}

/** Returns the calls of each tag, by operation id. */
export function tryCalls(document: Json): Map<string, Readonly<Record<string, TryCall>>> {
  return new Map(
    tagsOf(document).map(({ id, operations }) => [
      id,
      Object.fromEntries(
        operations.map((operation) => {
          const { operation: _, ...call } = callOf(document, operation);
          const every: Json[] = (operation.spec.parameters ?? []).map((one: Json) => resolve(document, one));
          const filled = sampleRequest(
            document,
            operation,
            every.map(({ name }) => name),
          ).values;
          const inSample = new Set(
            call.target
              .split('?')[1]
              ?.split('&')
              .map((pair) => pair.split('=')[0]),
          );
          const parameters = every.map(({ name, in: place, required = false }) => ({
            name,
            place,
            isRequired: required,
            value: required || inSample.has(name) ? (filled[name] ?? '') : '',
          }));
          return [operation.id, { ...call, path: operation.path, parameters }];
        }),
      ),
    ]),
  );
}
