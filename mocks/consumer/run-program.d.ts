export function runServer(): Promise<void>;

export function runProgram(
  path: string,
  args: readonly string[],
  options?: { readonly flags?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): Promise<void>;
