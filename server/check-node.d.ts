export const oldestNode: number;
export const noUseExitCode: number;
export function problemOfNode(version: string, path: string): string | undefined;
export function checkNode(): void;
