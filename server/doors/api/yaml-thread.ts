import { parentPort, workerData } from 'node:worker_threads';

import { yamlOf } from './contract-yaml.ts';

parentPort!.postMessage(yamlOf(JSON.parse(workerData as string)));
