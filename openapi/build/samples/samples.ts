import { responsesOf, type Json, type Operation } from '../../codegen/document.ts';
import { defaultAddress } from '../client-hosts.ts';
import { sampleRequest } from '../sample-request.ts';
import { clientSample } from './client.ts';
import { curlSample } from './curl.ts';
import { fetchSample } from './fetch.ts';
import { goSample } from './go.ts';
import { pythonSample } from './python.ts';
import { keyPlaceholder, operatorKeyPlaceholder, type Call } from './call.ts';

/** A program that calls one operation. */
export interface Sample {
  readonly label: string;
  /** The name of the language for highlighting. */
  readonly language: string;
  readonly source: string;
}

/** Optional parameters that a useful first request needs. */
const shown: Readonly<Record<string, readonly string[]>> = {
  uploadObject: ['name', 'prefix'],
  startChunkedUpload: ['name', 'filename'],
  listObjects: ['limit'],
  getDownloadLink: ['redirect'],
};

/** Returns the call of an operation with the values of the contract's examples. */
export function callOf(document: Json, operation: Operation): Call {
  const statuses = Object.keys(operation.spec.responses).filter((status) => status < '400');
  const redirect = statuses.length === 1 && statuses[0]!.startsWith('3') ? Number(statuses[0]) : undefined;
  const request = sampleRequest(document, operation, shown[operation.id]);
  return {
    ...request,
    operation,
    placeholder: operation.tag === 'operator' ? operatorKeyPlaceholder : keyPlaceholder,
    ...(redirect !== undefined && { redirectStatus: redirect }),
    address: defaultAddress(operation.spec.servers ?? document.servers),
    isJsonResponse: hasJsonResponse(document, operation),
  };
}

/** Whether each success is JSON. One without a body cannot be parsed. */
function hasJsonResponse(document: Json, operation: Operation): boolean {
  const successes = responsesOf(document, operation).filter(({ status }) => status < 300);
  return successes.length > 0 && successes.every(({ response }) => 'application/json' in (response.content ?? {}));
}

/** Returns the same call in each language. */
export function samplesOf(document: Json, operation: Operation): Sample[] {
  const call = callOf(document, operation);
  return [
    { label: 'curl', language: 'sh', source: curlSample(call) },
    { label: 'client', language: 'js', source: clientSample(call) },
    { label: 'fetch', language: 'js', source: fetchSample(call) },
    { label: 'Python', language: 'python', source: pythonSample(call) },
    { label: 'Go', language: 'go', source: goSample(call) },
  ];
}
