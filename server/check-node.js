/*
 * The first module of each program that may be started by hand. It is read by old versions of Node too, so it uses only
 * what they know. What it protects is imported after the call: Node links all static imports before it runs any of
 * them.
 */

/** The oldest version of Node that Cubby runs on. */
export const oldestNode = 24;

/**
 * For a service manager: another try cannot help (`EX_CONFIG` of sysexits.h). deploy/systemd/cubby.service names it.
 */
export const noUseExitCode = 78;

/**
 * Returns what to say about a version of Node, or undefined if Cubby runs on it.
 *
 * @param {string} version such as `v20.0.0`
 * @param {string} path of the program
 */
export function problemOfNode(version, path) {
  if (Number(/^v?(\d+)/.exec(version)?.[1]) >= oldestNode) return undefined;
  return (
    `Cubby needs Node ${oldestNode} or newer, and ${path} is ${version}. Use "npm start", which takes the Node that ` +
    `npm has installed with Cubby, or install Node ${oldestNode}.`
  );
}

/** Ends the process with a sentence if its Node is too old. */
export function checkNode() {
  const problem = problemOfNode(process.version, process.execPath);
  if (problem === undefined) return;
  console.error(problem);
  process.exit(noUseExitCode);
}
