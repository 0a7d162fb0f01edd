// Made from openapi/ by `npm run generate`. Never edit it by hand.
export { deleteObjects, getLiveness, getMetrics, getObjectInfo, getPublicFile, getReadiness, listObjects, uploadObject } from './sdk.js';
