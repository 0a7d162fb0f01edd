export const nodeFlags: readonly string[];
export const processEnv: Readonly<Record<string, string>>;
