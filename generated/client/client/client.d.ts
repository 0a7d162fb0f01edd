import type { Client, Config } from './types.js';
export declare const createClient: (config?: Config) => Client;
