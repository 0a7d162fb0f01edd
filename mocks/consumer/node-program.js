// JavaScript, as the other files that `npm start` begins with: any Node from 20 on reads them, and starts a newer one.
import { createRequire } from 'node:module';

/** The oldest Node that the server runs on: it has SQLite, and can strip types. */
const oldest = [24, 0];

/**
 * Returns the path of a Node that the server runs on: this one, or the one that the package installs.
 *
 * @throws if there is none
 */
export function nodeProgram() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return process.execPath;
  const { resolve } = createRequire(import.meta.url);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  try {
    return resolve(`${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    throw new Error(
      `Cubby needs Node ${oldest[0]} or newer. This is ${process.version}, and the package ${name} is not ` +
        `installed. Install Node ${oldest[0]}.`,
    );
  }
}
