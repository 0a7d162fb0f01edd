// Made from openapi/ by `npm run generate`. Never edit it by hand.
export { formDataBodySerializer, jsonBodySerializer, urlSearchParamsBodySerializer, } from '../core/bodySerializer.js';
export { buildClientParams } from '../core/params.js';
export { serializeQueryKeyValue } from '../core/queryKeySerializer.js';
export { createClient } from './client.js';
export { createConfig, mergeHeaders } from './utils.js';
