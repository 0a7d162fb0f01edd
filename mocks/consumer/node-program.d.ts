export function nodeProgram(): string;
