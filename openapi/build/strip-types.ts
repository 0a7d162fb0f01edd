/**
 * Reads TypeScript files from standard input, as a list in JSON, and writes them without their types. A program of its own,
 * because Node warns that the function is experimental, and only a process as a whole can be told not to.
 */
import { stripTypeScriptTypes } from 'node:module';
import { json } from 'node:stream/consumers';

const texts = (await json(process.stdin)) as readonly string[];
process.stdout.write(JSON.stringify(texts.map((text) => stripTypeScriptTypes(text))));
