#!/usr/bin/env node
import { makeModules } from '../make-modules.js';

makeModules();
const { runCommand } = await import('../../dist/modules/mocks/command.js');
await runCommand(process.argv.slice(2));
