// Made from openapi/ by `npm run generate`. Never edit it by hand.
import { createClient, createConfig } from './client/index.js';
export const client = createClient(createConfig({ baseUrl: 'http://localhost:7400' }));
