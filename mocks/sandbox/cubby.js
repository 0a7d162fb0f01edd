#!/usr/bin/env node
import { runCommand } from '../../generated/mocks/command.js';

await runCommand(process.argv.slice(2));
