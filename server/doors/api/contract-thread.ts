import { parentPort, workerData } from 'node:worker_threads';

import { yamlOf } from './contract-yaml.ts';
import { contractWithout } from './switched-off.ts';
import type { ContractWork } from './write-contract.ts';

const { json, form, off } = workerData as ContractWork;
const contract = contractWithout(JSON.parse(json), off);
parentPort!.postMessage(form === 'yaml' ? yamlOf(contract) : JSON.stringify(contract));
